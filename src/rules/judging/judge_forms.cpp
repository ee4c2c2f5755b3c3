#include "rules/judging/judge_forms.h"

#include "connected_graph/file_nodes.h"
#include "rules/judging/judge_node.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

namespace model_validator::rules {
namespace {

/// A node of a body that every runtime was seen to refuse, bytes that none of them loads.
constexpr auto taken_nowhere = word_array<
    "body-input-twice body-missing bytes-dtype bytes-long bytes-short function-outputs "
    "function-result if-arm if-condition if-condition-size if-empty if-inputs input-twice "
    "input-typeless loop-body-inputs loop-body-outputs loop-trips-size scan-body-inputs "
    "scan-axis scan-inputs scan-lengths sparse-index">;

constexpr auto forbidden = word_array<
    "arm-yields-outer body-yields-outer bytes-field bytes-none function-domain function-import "
    "function-opset function-passes function-results-left if-count if-dtype import-none "
    "initializer-input-type loop-body-inputs-more loop-condition loop-dtype loop-outputs "
    "loop-trips name-hidden node-twice opset-zero scan-body-inputs-more scan-body-outputs "
    "scan-body-outputs-more scan-dtype scan-list scan-nothing scan-rank">;

} // namespace

FormStanding standing_of(std::string_view kind) {
  if (contains(taken_nowhere, kind)) return FormStanding::nowhere;
  return contains(forbidden, kind) ? FormStanding::forbidden : FormStanding::valid;
}

bool matters(const GraphForm& form, const std::vector<OperatorVersion>& versions) {
  if (form.schema.empty()) return true;
  const OperatorVersion* own = version_in(versions, form.opset);
  const OperatorVersion* other = version_in(versions, form.other_opset);
  return own != nullptr && other != nullptr && own->since != other->since;
}

std::vector<RefusedForm> judge_forms(const TargetProfile& profile, const ConnectedGraph& graph) {
  std::vector<RefusedForm> refused;
  if (!graph.file_nodes) return refused;
  for (const GraphForm& form : graph.file_nodes->forms) {
    const auto answer = profile.file.forms.find(form.kind);
    if (answer == profile.file.forms.end()) continue;
    const auto versions = profile.file.versions.find(form.schema);
    static const std::vector<OperatorVersion> none_known;
    if (matters(form, versions == profile.file.versions.end() ? none_known : versions->second))
      refused.push_back({&form, answer->second.mishap, answer->second.reason});
  }
  return refused;
}

} // namespace model_validator::rules
