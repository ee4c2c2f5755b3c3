#pragma once

#include "partition/cluster_graph.h"
#include "support/sample_graph.h"

#include <model_validator/partition/plan.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace model_validator::partition::testing {

/// A target that takes operators of these names, as `aten::a`.
inline TargetProfile target(const std::string& name, const std::vector<std::string>& operators) {
  TargetProfile profile;
  profile.name = name;
  for (const std::string& each : operators) profile.operators["aten::" + each] = {};
  return profile;
}

/// A random graph of ops `aten::a`, `aten::b`, … and queries, with what may not be separated.
struct RandomModel {
  ConnectedGraph graph;
  Constraints constraints;
};

inline RandomModel random_model(unsigned seed, std::size_t ops, std::size_t kinds) {
  std::mt19937 random(seed);
  const auto up_to = [&random](std::size_t limit) { return random() % limit; };
  test::SampleGraph builder;
  builder.op("x", OpKind::input);
  for (std::size_t i = 0; i < ops; ++i) {
    const bool query = up_to(6) == 0;
    const std::string type(1, static_cast<char>('a' + up_to(kinds)));
    const OpId op = query ? builder.op("size_" + std::to_string(i), OpKind::query, "aten::a")
                          : builder.functional(type, "aten::" + type);
    const std::size_t operands = 1 + up_to(2);
    for (std::size_t operand = 0; operand < operands; ++operand)
      builder.edge(op - 1 - up_to(std::min<std::size_t>(op, 5)), op, operand);
  }
  const OpId last = builder.graph.op_count() - 1;
  builder.edge(last, builder.op("output_0", OpKind::output));
  RandomModel model{std::move(builder.graph), {}};
  const auto any_op = [&] { return 1 + up_to(ops); };
  for (std::size_t i = up_to(3); i > 0; --i)
    model.constraints.inseparable.push_back({any_op(), any_op()});
  if (up_to(2) == 0) {
    const OpId first = any_op();
    if (first < ops) model.constraints.order.emplace_back(first, first + 1);
  }
  return model;
}

/// Edges between ops that have a place, queries that are carried along looked through.
inline std::set<std::pair<OpId, OpId>> real_edges(const RandomModel& model, const Plan& plan) {
  std::set<OpId> placed;
  for (const Partition& part : plan.partitions) placed.insert(part.ops.begin(), part.ops.end());
  std::map<OpId, std::set<OpId>> before;
  const auto note = [&](OpId from, OpId to) {
    if (placed.contains(from))
      before[to].insert(from);
    else
      before[to].insert(before[from].begin(), before[from].end());
  };
  std::set<std::pair<OpId, OpId>> edges;
  for (OpId op = 0; op < model.graph.op_count(); ++op) {
    for (const auto edge : boost::make_iterator_range(boost::in_edges(op, model.graph.graph())))
      note(boost::source(edge, model.graph.graph()), op);
    for (const auto& [first, second] : model.constraints.order)
      if (second == op) note(first, op);
    if (placed.contains(op))
      for (const OpId from : before[op]) edges.emplace(from, op);
  }
  return edges;
}

} // namespace model_validator::partition::testing
