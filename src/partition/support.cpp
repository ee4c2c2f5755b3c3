#include "partition/support.h"

#include "connected_graph/query_ops.h"
#include "rules/judging/judge_file.h"
#include "rules/judging/judge_forms.h"
#include "rules/judging/operator_name.h"
#include "rules/judging/verdicts.h"

#include <model_validator/error.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace model_validator::partition {
namespace {

void refuse_silent_target(const ConnectedGraph& graph, const TargetProfile& target) {
  if (rules::knows_format(target, graph)) return;
  if (graph.origin.format != FileFormat::onnx)
    throw Error(ErrorKind::wrong_format, graph.origin.path,
                "target `" + target.name + "` is a table of the operators of ONNX files",
                "divide the ONNX file that the model is exported to");
  throw Error(
      ErrorKind::wrong_format, graph.origin.path,
      "target `" + target.name +
          "` is a table of PyTorch's operators and says nothing about those of an ONNX file",
      "name a target of ONNX files, `onnxruntime`, `openvino` or `tensorrt`, or give a profile "
      "that lists operators as `onnx::Conv` with --profile");
}

VerdictCounts count_verdicts(const ConnectedGraph& graph, const ClusterGraph& clusters,
                             const TargetProfile& target) {
  VerdictCounts counts;
  const std::vector<Verdict> verdicts = rules::verdicts_by_op(target, graph);
  for (OpId op = 0; op < graph.op_count(); ++op)
    if (clusters.computes(op)) counts.add(verdicts[op]);
  return counts;
}

/// A form keeps the ops off a target that its places became. One of the file as a whole, such as
/// its imports, is none of a part's.
void add_forms(const ConnectedGraph& graph, const TargetProfile& target,
               std::vector<rules::RefusedOp>& kept) {
  std::map<OpId, std::size_t> of_op;
  for (std::size_t i = 0; i < kept.size(); ++i) of_op.emplace(kept[i].op, i);
  for (const rules::RefusedForm& form : rules::judge_forms(target, graph)) {
    if (form.mishap == Mishap::depends) continue;
    const rules::Refusal refusal{form.form->kind, form.reason, {}, form.mishap};
    for (const OpId op : std::set<OpId>(form.form->ops.begin(), form.form->ops.end())) {
      const auto [at, is_new] = of_op.emplace(op, kept.size());
      if (is_new) kept.push_back({op, nullptr, {}, {}, {}, {}});
      kept[at->second].refusals.push_back(refusal);
    }
  }
}

/// What keeps ops off a target: what it refuses, and what was not probed. Subgraphs are cut from
/// the original file, with or without inputs.
std::vector<rules::RefusedOp> kept_from(const ConnectedGraph& graph, const TargetProfile& target) {
  if (!rules::judges_nodes(target, graph))
    return rules::judge_graph(target, graph, rules::Handed::file);
  std::vector<rules::RefusedOp> kept;
  for (const rules::FileRefusal& file : rules::judge_versions(target, graph))
    for (OpId op = 0; op < graph.op_count(); ++op)
      kept.push_back({op, nullptr, {{"the file", file.reason, file.help}}, {}, {}, {}});
  for (rules::RefusedOp& each : rules::judge_nodes(target, graph)) {
    for (const std::string& name : each.unknown)
      each.refusals.push_back({name, "it is not known whether it is taken", {}, Mishap::unknown});
    if (!each.refusals.empty()) kept.push_back(std::move(each));
  }
  add_forms(graph, target, kept);
  return kept;
}

/// A table that names none leaves them out, as a list of tensor operators alone does.
bool names_queries(const TargetProfile& target) {
  return std::ranges::any_of(target.operators, [](const auto& each) {
    return is_query_type(rules::parse_operator_name(each.first).base);
  });
}

/// Those of a program of torch.export are written as TorchScript.
const TargetProfile& table_of_subgraphs(const TargetProfile& target, const ConnectedGraph& graph) {
  return rules::knows_format(target, graph) ? target : rules::table_for(target, graph);
}

} // namespace

Support judge_targets(const ConnectedGraph& graph, const ClusterGraph& clusters,
                      const std::vector<TargetProfile>& targets) {
  if (targets.size() > max_targets)
    throw Error(ErrorKind::too_many_targets, "",
                "there are " + std::to_string(targets.size()) + " targets, more than the " +
                    std::to_string(max_targets) + " that a model can be divided among");
  Support support;
  support.targets_of.assign(graph.op_count(), (TargetSet{1} << targets.size()) - 1);
  for (std::size_t target = 0; target < targets.size(); ++target) {
    const TargetProfile& table = table_of_subgraphs(targets[target], graph);
    refuse_silent_target(graph, table);
    support.verdicts.push_back(count_verdicts(graph, clusters, table));
    const bool queries = rules::judges_nodes(table, graph) || names_queries(table);
    for (rules::RefusedOp& each : kept_from(graph, table)) {
      // Code that no run reaches is in no partition.
      if (each.op == none || clusters.cluster_of(each.op) == none) continue;
      if (!queries && !clusters.computes(each.op)) continue;
      support.targets_of[each.op] &= ~(TargetSet{1} << target);
      support.refused.push_back({target, each.op, std::move(each.refusals)});
    }
  }
  return support;
}

Colours first_targets(const ClusterGraph& clusters, const std::vector<TargetSet>& targets_of,
                      std::size_t target_count) {
  const TargetSet all = (TargetSet{1} << target_count) - 1;
  std::vector<TargetSet> sets(clusters.size(), all);
  for (OpId op = 0; op < targets_of.size(); ++op)
    if (const ClusterId cluster = clusters.cluster_of(op); cluster != none)
      sets[cluster] &= targets_of[op];
  // A query is computed for each reader: where it is not taken, neither are they.
  for (const ClusterId cluster : clusters.topological_order())
    if (clusters.carried(cluster))
      for (const ClusterId reader : clusters.successors(cluster)) sets[reader] &= sets[cluster];
  Colours colours;
  colours.reserve(sets.size());
  for (const TargetSet set : sets)
    colours.push_back(set == 0 ? target_count : static_cast<std::size_t>(std::countr_zero(set)));
  return colours;
}

} // namespace model_validator::partition
