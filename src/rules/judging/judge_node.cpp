#include "rules/judging/judge_node.h"

#include "connected_graph/op_type.h"
#include "rules/judging/kernels.h"
#include "rules/judging/node_condition.h"
#include "rules/judging/node_schema.h"

namespace model_validator::rules {
namespace {

/// `Cast(13)`, as runtimes name an operator.
std::string named(const FileNode& node, const OperatorVersion& version) {
  return std::string(bare_operator(node.schema)) + "(" + std::to_string(version.since) + ")";
}

void judge_version(const FileRules& rules, const OperatorVersion& version, const FileNode& node,
                   NodeJudgement& judgement) {
  judgement.refusal = breach_of_schema(version, node);
  if (judgement.refusal) return;
  switch (run_by_kernel(version, node, rules.cast_to_float32)) {
  case Kernel::found: return;
  case Kernel::missing:
    judgement.refusal =
        "NOT_IMPLEMENTED: Could not find an implementation for " + named(node, version);
    return;
  case Kernel::depends:
    judgement.undetermined.push_back("the dtypes of `" + node.schema +
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

NodeJudgement judge_node(const FileRules& rules, const FileNode& node) {
  NodeJudgement judgement;
  if (const auto found = rules.versions.find(node.schema); found != rules.versions.end()) {
    const OperatorVersion* version = version_in(found->second, node.opset);
    if (version == nullptr)
      judgement.refusal =
          node.schema + "(" + std::to_string(node.opset) + ") is not a registered function/op";
    else
      judge_version(rules, *version, node, judgement);
  }
  if (judgement.refusal) return judgement;
  if (const auto found = rules.refused.find(node.schema); found != rules.refused.end())
    for (const NodeRefusal& each : found->second) switch (holds(each, node)) {
      case Holds::no: break;
      case Holds::yes: judgement.refusal = each.reason; return judgement;
      case Holds::unknown: judgement.undetermined.push_back(each.reason);
      }
  return judgement;
}

} // namespace model_validator::rules
