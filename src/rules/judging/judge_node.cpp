#include "rules/judging/judge_node.h"

#include "connected_graph/op_type.h"
#include "rules/judging/node_condition.h"
#include "rules/judging/node_schema.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <map>

namespace model_validator::rules {
namespace {

enum class Kernel : char {
  found,   ///< whatever is not known of the dtypes
  missing, ///< whatever is not known of them
  depends, ///< on dtypes that are not known
};

/// The dtype of each type variable of a node, empty where it is not known. A variable that stands
/// for several dtypes has no single one: it is left out.
using Bound = std::map<std::string, std::string, std::less<>>;

void bind(const OperatorVersion::Parameter* formal, const ProgramValue* operand, Bound& bound) {
  if (formal == nullptr || operand == nullptr || !formal->homogeneous) return;
  std::string& dtype = bound[formal->type];
  if (dtype.empty()) dtype = operand->type.dtype;
}

Bound bound_of(const OperatorVersion& version, NodeView node) {
  Bound bound;
  for (std::size_t i = 0; i < node->input_count(); ++i)
    bind(parameter_of(version.inputs, i), node.input(i), bound);
  for (std::size_t i = 0; i < node->outputs.size(); ++i)
    bind(parameter_of(version.outputs, i), node.output(i), bound);
  return bound;
}

/// Whether a combination of dtypes may be the node's, as far as its dtypes are known; and whether
/// it surely covers those that are not.
struct Fit {
  bool possible = true;
  bool certain = true;
};

Fit fit(const DtypesOfVariables& taken, const DtypesOfVariables& allowed, const Bound& bound) {
  Fit fit;
  for (const auto& [variable, dtypes] : taken) {
    const auto given = bound.find(variable);
    if (given == bound.end()) continue;
    if (!given->second.empty()) {
      if (!contains(*dtypes, given->second)) return {false, false};
    } else if (const auto all = allowed.find(variable);
               all != allowed.end() && all->second->size() > dtypes->size()) {
      fit.certain = false;
    }
  }
  return fit;
}

Kernel kernel_for(const OperatorVersion& version, const Bound& bound) {
  bool possible = false;
  for (const DtypesOfVariables& each : version.taken) {
    const Fit found = fit(each, version.allowed, bound);
    if (found.certain) return Kernel::found;
    possible = possible || found.possible;
  }
  return possible ? Kernel::depends : Kernel::missing;
}

/// Whether a runtime has a kernel for a node that its schema allows.
/// @param cast  dtypes that the runtime computes in float32 where there is no kernel for them
Kernel run_by_kernel(const OperatorVersion& version, NodeView node,
                     const std::vector<std::string>& cast) {
  if (version.takes_all) return Kernel::found;
  Bound bound = bound_of(version, node);
  const Kernel direct = kernel_for(version, bound);
  if (direct == Kernel::found) return direct;
  for (auto& [variable, dtype] : bound)
    if (contains(cast, dtype)) dtype = "float32";
  return std::min(direct, kernel_for(version, bound), [](Kernel a, Kernel b) {
    return (a == Kernel::found && b != a) || (a == Kernel::depends && b == Kernel::missing);
  });
}

/// `Cast(13)`, as runtimes name an operator.
std::string named(NodeView node, const OperatorVersion& version) {
  return std::string(bare_operator(node->schema)) + "(" + std::to_string(version.since) + ")";
}

void judge_version(const FileRules& rules, const OperatorVersion& version, NodeView node,
                   Judgement& judgement) {
  if (std::optional<SchemaBreach> breach = breach_of_schema(version, node)) {
    judgement.refusal = {node->schema, std::move(breach->quoted), remedy_of_breach};
    return;
  }
  switch (run_by_kernel(version, node, rules.cast_to_float32)) {
  case Kernel::found: return;
  case Kernel::missing:
    judgement.refusal = {
        node->schema,
        "NOT_IMPLEMENTED: Could not find an implementation for " + named(node, version), ""};
    return;
  case Kernel::depends:
    judgement.undetermined.push_back("the dtypes of `" + node->schema +
                                     "`, which the file does not state: " + named(node, version) +
                                     " has no kernel for some");
  }
}

} // namespace

const OperatorVersion* version_in(const std::vector<OperatorVersion>& versions, int opset) {
  const OperatorVersion* newest = nullptr;
  for (const OperatorVersion& each : versions)
    if (opset == 0 || each.since <= opset) newest = &each;
  return newest;
}

Judgement judge_node(const FileRules& rules, NodeView node) {
  Judgement judgement;
  if (const auto found = rules.versions.find(node->schema); found != rules.versions.end()) {
    const OperatorVersion* version = version_in(found->second, node->opset);
    if (version == nullptr)
      judgement.refusal = {node->schema,
                           node->schema + "(" + std::to_string(node->opset) +
                               ") is not a registered function/op",
                           ""};
    else
      judge_version(rules, *version, node, judgement);
  }
  if (judgement.refusal) return judgement;
  if (const auto found = rules.refused.find(node->schema); found != rules.refused.end())
    for (const NodeRefusal& each : found->second) switch (holds(each, node)) {
      case Holds::no: break;
      case Holds::yes:
        if (each.mishap == Mishap::depends) {
          judgement.undetermined.push_back(each.reason);
          break;
        }
        judgement.refusal = {node->schema, each.reason, "", each.mishap};
        return judgement;
      case Holds::unknown:
        if (each.mishap != Mishap::depends) judgement.undetermined.push_back(undecided(each, node));
      }
  return judgement;
}

} // namespace model_validator::rules
