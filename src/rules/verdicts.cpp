#include "rules/verdicts.h"

#include "rules/judge_file.h"
#include "rules/judge_node.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace model_validator {

const char* to_string(Verdict verdict) {
  switch (verdict) {
  case Verdict::taken: return "taken";
  case Verdict::partly: return "taken in part";
  case Verdict::refused: return "refused";
  case Verdict::unknown: return "unknown";
  }
  return "";
}

namespace rules {
namespace {

/// Counts the calls of operators that fare alike.
class Tally {
public:
  void add(OperatorVerdict call) {
    auto& counted = counted_[{call.name, call.verdict, call.evidence, call.conditions}];
    call.calls = counted.calls + 1;
    counted = std::move(call);
  }

  std::vector<OperatorVerdict> take() {
    std::vector<OperatorVerdict> verdicts;
    for (auto& [key, verdict] : counted_) verdicts.push_back(std::move(verdict));
    return verdicts;
  }

private:
  using Key = std::tuple<std::string, Verdict, std::string, std::vector<std::string>>;
  std::map<Key, OperatorVerdict> counted_;
};

/// The entry of the target's registry that speaks of a node.
std::string entry_of(const TargetProfile& profile, const FileNode& node) {
  const auto found = profile.file.versions.find(node.schema);
  if (found == profile.file.versions.end()) return node.schema;
  const OperatorVersion* version = version_in(found->second, node.opset);
  return version == nullptr ? node.schema
                            : node.schema + " since opset " + std::to_string(version->since);
}

OperatorVerdict verdict_on(const TargetProfile& profile, const FileNode& node) {
  NodeVerdict found = judge_node(profile, node);
  if (found.refusal)
    return {node.schema, Verdict::refused, 0, {}, std::move(found.refusal->reason)};
  if (found.unknown) return {node.schema, Verdict::unknown, 0, {}, "nobody was asked of it"};
  if (reads_another_release(profile))
    return {node.schema,
            Verdict::unknown,
            0,
            {},
            "the table is of another release, " + profile.package};
  const Verdict verdict = found.unsettled.empty() ? Verdict::taken : Verdict::partly;
  return {node.schema, verdict, 0, std::move(found.unsettled), entry_of(profile, node)};
}

bool computes(const Op& op) {
  return op.kind != OpKind::input && op.kind != OpKind::output && op.kind != OpKind::constant;
}

/// By ops: those that are refused, and all others by what they are.
void tally_ops(const TargetProfile& profile, const ConnectedGraph& graph, Tally& tally) {
  std::map<OpId, bool> refused;
  for (const RefusedOp& each : judge_graph(profile, graph)) {
    refused[each.op] = true;
    for (const Refusal& refusal : each.refusals)
      tally.add({refusal.name, Verdict::refused, 0, {}, refusal.reason});
  }
  for (OpId op = 0; op < graph.op_count(); ++op)
    if (computes(graph.op(op)) && !refused.contains(op)) {
      const Op& each = graph.op(op);
      const std::string& name = each.schema.empty() ? each.type : each.schema;
      tally.add({name, Verdict::taken, 0, {}, "listed, or taken apart into what is"});
    }
}

Verdict of_all(const TargetVerdict& target) {
  const auto any = [&target](Verdict verdict) {
    return std::any_of(target.operators.begin(), target.operators.end(),
                       [verdict](const OperatorVerdict& each) { return each.verdict == verdict; });
  };
  if (!target.refusals.empty() || any(Verdict::refused)) return Verdict::refused;
  for (const Verdict verdict : {Verdict::unknown, Verdict::partly})
    if (any(verdict)) return verdict;
  return Verdict::taken;
}

} // namespace

TargetVerdict verdict_on(const TargetProfile& profile, const ConnectedGraph& graph) {
  TargetVerdict result{profile.name,
                       Verdict::unknown,
                       profile.package,
                       profile.date,
                       profile.release.version,
                       {},
                       {}};
  if (!knows_format(profile, graph)) return result;
  Tally tally;
  if (judges_nodes(profile, graph)) {
    for (const FileNode& node : nodes_of_file(graph)) tally.add(verdict_on(profile, node));
    for (FileRefusal& each : judge_versions(profile, graph))
      result.refusals.push_back(std::move(each.reason));
  } else {
    tally_ops(profile, graph, tally);
  }
  result.operators = tally.take();
  result.verdict = of_all(result);
  return result;
}

} // namespace rules
} // namespace model_validator
