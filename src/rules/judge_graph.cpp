#include "rules/judge_graph.h"

#include "rules/judge_file.h"
#include "rules/operator_name.h"

#include <algorithm>
#include <set>
#include <string>

namespace model_validator::rules {
namespace {

using Names = std::set<std::string, std::less<>>;

std::string name_of(const std::string& schema) {
  return parse_operator_name(schema).functional().qualified();
}

Names names_in_file(const ConnectedGraph& graph) {
  Names names;
  for (const Operator& op : graph.file_operators) names.insert(name_of(op.schema));
  return names;
}

bool left_by_freezing(const Operator& op) {
  return std::any_of(op.attributes.begin(), op.attributes.end(),
                     [](const Attribute& each) { return each.name == "frozen"; });
}

/// The refusals of a vertex, without those of operators that reach no output.
std::vector<Refusal> judge_vertex(const TargetProfile& profile, const ConnectedGraph& graph,
                                  OpId op, const Names& alive) {
  std::vector<Refusal> refusals = judge(profile, graph, op);
  if (!alive.empty() && !profile.modules)
    std::erase_if(refusals,
                  [&alive](const Refusal& each) { return !alive.contains(name_of(each.name)); });
  return refusals;
}

bool has_default(const Op& op) {
  return op.kind == OpKind::input &&
         std::any_of(op.attributes.begin(), op.attributes.end(),
                     [](const Attribute& each) { return each.name == "default"; });
}

void judge_inputs(const TargetProfile& profile, const ConnectedGraph& graph,
                  std::vector<RefusedOp>& refused) {
  if (profile.default_arguments.empty() || graph.origin.traced) return;
  for (const OpId input : graph.inputs())
    if (has_default(graph.op(input))) {
      refused.push_back({input, nullptr, {{"forward", profile.default_arguments, {}}}, {}, {}, {}});
      return; // one of them is enough for the target to give up
    }
}

/// Operators in the code that are no ops of the graph, which a converter refuses all the same: on
/// collections, and in arms that cannot run where it does not freeze.
void judge_code(const TargetProfile& profile, const ConnectedGraph& graph,
                std::vector<RefusedOp>& refused) {
  Names named;
  for (const RefusedOp& each : refused)
    for (const Refusal& refusal : each.refusals) named.insert(refusal.name);
  for (const Operator& op : graph.file_operators) {
    if (left_by_freezing(op) != profile.frozen) continue;
    const std::optional<Refusal> refusal = judge_entry(profile, op);
    if (refusal && named.insert(refusal->name).second)
      refused.push_back({none, &op, {*refusal}, {}, {}, {}});
  }
}

} // namespace

std::vector<RefusedOp> judge_graph(const TargetProfile& profile, const ConnectedGraph& graph) {
  std::vector<RefusedOp> refused;
  if (!knows_format(profile, graph)) return refused;
  if (judges_nodes(profile, graph)) {
    refused = judge_nodes(profile, graph);
    std::erase_if(refused, [](const RefusedOp& each) { return each.refusals.empty(); });
    return refused;
  }
  judge_inputs(profile, graph, refused);
  const Names alive = names_in_file(graph);
  for (OpId op = 0; op < graph.op_count(); ++op)
    if (std::vector<Refusal> refusals = judge_vertex(profile, graph, op, alive); !refusals.empty())
      refused.push_back({op, nullptr, std::move(refusals), {}, {}, {}});
  if (!profile.functionalised && !profile.modules && graph.origin.format != "onnx")
    judge_code(profile, graph, refused);
  return refused;
}

} // namespace model_validator::rules
