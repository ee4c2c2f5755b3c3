#include "rules/judging/verdicts.h"

#include "rules/judging/islands.h"
#include "rules/judging/judge_file.h"
#include "rules/judging/judge_forms.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace model_validator {

const char* to_string(Verdict verdict) {
  switch (verdict) {
  case Verdict::taken: return "taken";
  case Verdict::partly: return "taken in part";
  case Verdict::refused: return "refused";
  case Verdict::unknown: return "unknown";
  case Verdict::wrong: return "wrong";
  }
  return "";
}

void VerdictCounts::add(Verdict verdict, std::size_t number) {
  switch (verdict) {
  case Verdict::taken: taken += number; break;
  case Verdict::partly: partly += number; break;
  case Verdict::unknown: unknown += number; break;
  case Verdict::wrong: wrong += number; break;
  case Verdict::refused: refused += number;
  }
}

namespace rules {
namespace {

/// Counts the calls of operators by verdict.
class Tally {
public:
  explicit Tally(const ConnectedGraph& graph) : graph_(graph) {}

  /// @param op  that it is part of; none where it is part of none
  void add(OperatorVerdict call, OpId op) {
    auto& counted = counted_[{call.name, call.verdict, call.evidence, call.conditions}];
    call.calls = counted.calls + 1;
    call.ops = std::move(counted.ops);
    if (op != none && call.verdict != Verdict::taken) add_name(graph_.op(op).name, call.ops);
    counted = std::move(call);
  }

  std::vector<OperatorVerdict> take() {
    std::vector<OperatorVerdict> verdicts;
    for (auto& [key, verdict] : counted_) verdicts.push_back(std::move(verdict));
    return verdicts;
  }

private:
  /// An op may call an operator several times.
  static void add_name(const std::string& name, std::vector<std::string>& names) {
    if (names.empty() || names.back() != name) names.push_back(name);
  }

  using Key = std::tuple<std::string, Verdict, std::string, std::vector<std::string>>;
  const ConnectedGraph& graph_;
  std::map<Key, OperatorVerdict> counted_;
};

Verdict verdict_of(Mishap mishap) {
  if (mishap == Mishap::depends) return Verdict::partly;
  return mishap == Mishap::wrong ? Verdict::wrong : Verdict::refused;
}

Verdict verdict_of(const Refusal& refusal) { return verdict_of(refusal.mishap); }

std::string another_release(const TargetProfile& profile) {
  return "the table is for another release, " + profile.package;
}

OperatorVerdict verdict_on(const TargetProfile& profile, Judgement found) {
  OperatorVerdict verdict{std::move(found.name), Verdict::unknown, 0, {}, {}};
  if (found.refusal) {
    verdict.verdict = verdict_of(*found.refusal);
    verdict.evidence = std::move(found.refusal->reason);
  } else if (found.by_plugin) {
    verdict.verdict = Verdict::taken;
    verdict.evidence = "by your plugin, which nobody asked";
  } else if (found.unknown) {
    verdict.evidence =
        found.unknown->empty() ? "the target was not asked about it" : std::move(*found.unknown);
  } else if (reads_another_release(profile)) {
    verdict.evidence = another_release(profile);
  } else {
    verdict.verdict = found.undetermined.empty() ? Verdict::taken : Verdict::partly;
    verdict.conditions = std::move(found.undetermined);
    verdict.evidence = std::move(found.evidence);
  }
  return verdict;
}

/// Nobody counts a stored tensor as an op, wherever the file stores it.
bool is_taken_constant(NodeView node, const OperatorVerdict& found) {
  return found.verdict == Verdict::taken && node->schema == "onnx::Constant";
}

Verdict verdict_of(const Judgement& judgement) {
  if (judgement.refusal) return verdict_of(*judgement.refusal);
  return judgement.undetermined.empty() ? Verdict::taken : Verdict::partly;
}

/// By PyTorch's operators, including refused code that is not an op.
void tally_ops(const TargetProfile& profile, const ConnectedGraph& graph,
               const std::vector<RefusedOp>& refused, Tally& tally) {
  for (const RefusedOp& each : refused)
    for (const Refusal& refusal : each.refusals)
      tally.add({refusal.name, verdict_of(refusal), 0, {}, refusal.reason}, each.op);
  for (const JudgedOp& op : judge_ops(profile, graph, graph_at_hand(graph)))
    for (const Judgement& each : op.operators)
      if (!each.refusal) tally.add(verdict_on(profile, each), op.op);
}

Verdict of_all(const TargetVerdict& target) {
  const auto any = [&target](Verdict verdict) {
    return std::ranges::any_of(target.operators, [verdict](const OperatorVerdict& each) {
      return each.verdict == verdict;
    });
  };
  if (!target.refusals.empty()) return Verdict::refused;
  if (target.falls_back && any(Verdict::wrong)) return Verdict::wrong;
  for (const Verdict verdict :
       {Verdict::refused, Verdict::wrong, Verdict::unknown, Verdict::partly})
    if (any(verdict))
      return verdict == Verdict::refused && target.falls_back ? Verdict::partly : verdict;
  return Verdict::taken;
}

} // namespace

namespace {

/// A form that is computed wrongly counts as one operator more.
void add_forms(const TargetProfile& profile, const ConnectedGraph& graph, Tally& tally,
               TargetVerdict& result) {
  for (const RefusedForm& each : judge_forms(profile, graph)) {
    const std::string reason = each.form->sentence + ": " + each.reason;
    if (each.mishap == Mishap::wrong)
      tally.add({each.form->kind, Verdict::wrong, 0, {}, reason}, each.form->op);
    else if (each.mishap == Mishap::depends)
      tally.add({each.form->kind, Verdict::partly, 0, {reason}, each.form->kind}, each.form->op);
    else
      result.refusals.push_back(reason);
  }
}

/// What is left of the graph where some of it runs elsewhere, and what keeps all of it from it.
void add_fallback(const ConnectedGraph& graph, const std::vector<RefusedOp>& refused,
                  TargetVerdict& result) {
  std::set<std::string> reasons;
  for (const RefusedOp& each : refused)
    for (const Refusal& refusal : each.refusals)
      if (refusal.mishap == Mishap::fails)
        reasons.insert("`" + refusal.name + "`: " + refusal.reason);
  result.refusals.insert(result.refusals.end(), reasons.begin(), reasons.end());
  const std::set<OpId> elsewhere = run_elsewhere(refused);
  if (elsewhere.empty() || !result.refusals.empty()) return;
  for (const std::vector<OpId>& island : islands_without(graph, elsewhere)) {
    std::vector<std::string>& names = result.islands.emplace_back();
    for (const OpId op : island) names.push_back(graph.op(op).name);
  }
}

} // namespace

TargetVerdict verdict_on(const TargetProfile& profile, const ConnectedGraph& graph) {
  TargetVerdict result;
  result.target = profile.name;
  result.verdict = Verdict::unknown;
  result.table = profile.table.empty() ? profile.name : profile.table;
  result.package = profile.package;
  result.opset = profile.opset;
  result.date = profile.date;
  result.release = profile.release.version;
  result.falls_back = profile.falls_back;
  result.recorded = graph_at_hand(graph) == Handed::recorded;
  if (!knows_format(profile, graph)) return result;
  Tally tally(graph);
  std::vector<RefusedOp> refused;
  if (judges_nodes(profile, graph)) {
    auto judged = judge_each(profile, *graph.program, graph.regions());
    if (profile.falls_back) refused = by_op(judged);
    for (auto& [node, found] : judged)
      if (OperatorVerdict verdict = verdict_on(profile, std::move(found));
          !is_taken_constant(node, verdict))
        tally.add(std::move(verdict), node->op);
    for (FileRefusal& each : judge_versions(profile, graph))
      result.refusals.push_back(std::move(each.reason));
    add_forms(profile, graph, tally, result);
  } else {
    refused = judge_graph(profile, graph);
    tally_ops(profile, graph, refused, tally);
  }
  result.operators = tally.take();
  if (profile.falls_back) add_fallback(graph, refused, result);
  result.verdict = of_all(result);
  return result;
}

std::vector<Verdict> verdicts_by_op(const TargetProfile& profile, const ConnectedGraph& graph) {
  std::vector<Verdict> verdicts(graph.op_count(), Verdict::taken);
  const auto worst = [&verdicts](OpId op, Verdict verdict) {
    if (op != none) verdicts[op] = std::max(verdicts[op], verdict);
  };
  if (!judges_nodes(profile, graph)) {
    const Verdict least = reads_another_release(profile) ? Verdict::unknown : Verdict::taken;
    for (const JudgedOp& op : judge_ops(profile, graph, Handed::file))
      for (const Judgement& each : op.operators) worst(op.op, std::max(least, verdict_of(each)));
    return verdicts;
  }
  if (!judge_versions(profile, graph).empty())
    std::ranges::fill(verdicts, Verdict::refused);
  else if (reads_another_release(profile))
    std::ranges::fill(verdicts, Verdict::unknown);
  for (const RefusedOp& each : judge_nodes(profile, graph)) {
    if (!each.undetermined.empty()) worst(each.op, Verdict::partly);
    if (!each.unknown.empty()) worst(each.op, Verdict::unknown);
    for (const Refusal& refusal : each.refusals) worst(each.op, verdict_of(refusal));
  }
  for (const RefusedForm& each : judge_forms(profile, graph))
    for (const OpId op : each.form->ops) worst(op, verdict_of(each.mishap));
  return verdicts;
}

} // namespace rules
} // namespace model_validator
