#include "rules/judging/judge_forms.h"

#include "connected_graph/file_nodes.h"
#include "rules/judging/form_standings.h"
#include "rules/judging/judge_node.h"

#include <model_validator/data/contains.h>

namespace model_validator::rules {

FormStanding standing_of(std::string_view kind) {
  if (contains(taken_nowhere, kind)) return FormStanding::nowhere;
  return contains(forbidden, kind) ? FormStanding::forbidden : FormStanding::valid;
}

bool matters(const GraphForm& form, const std::vector<OperatorVersion>& versions) {
  if (form.schema.empty()) return true;
  const OperatorVersion* own = version_in(versions, form.opset);
  const OperatorVersion* other = version_in(versions, form.other_opset);
  return own != nullptr && (other == nullptr || own->since != other->since);
}

bool passes_over(const FileRules& rules, const std::string& place) {
  const auto answer = rules.forms.find(place);
  return answer != rules.forms.end() && is_taken(answer->second);
}

std::vector<RefusedForm> judge_forms(const TargetProfile& profile, const ConnectedGraph& graph) {
  std::vector<RefusedForm> refused;
  if (!graph.file_nodes) return refused;
  for (const GraphForm& form : graph.file_nodes->forms) {
    const auto answer = profile.file.forms.find(form.kind);
    if (answer == profile.file.forms.end() || is_taken(answer->second)) continue;
    const auto versions = profile.file.versions.find(form.schema);
    static const std::vector<OperatorVersion> none_known;
    if (matters(form, versions == profile.file.versions.end() ? none_known : versions->second))
      refused.push_back({&form, answer->second.mishap, answer->second.reason});
  }
  return refused;
}

} // namespace model_validator::rules
