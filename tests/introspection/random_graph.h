#pragma once

#include <model_validator/graph_builder.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace model_validator::testing {

/// Graphs that differ from seed to seed: chains and branches of ops with attributes, parameters and
/// a branch of control flow.
inline GraphBuilder random_graph(unsigned seed) {
  std::mt19937 random(seed);
  const auto up_to = [&random](std::size_t limit) { return random() % limit; };
  const std::vector<std::string> types{"relu", "add", "conv2d", "linear", "cat"};
  GraphBuilder graph;
  graph.origin.format = FileFormat::torchscript;
  graph.add_module({});
  Op input;
  input.kind = OpKind::input;
  input.type = "input";
  input.name = "x";
  input.outputs = {{std::vector<std::int64_t>{1, 4}, "float32"}};
  graph.add_op(std::move(input));
  const std::size_t count = 3 + up_to(12);
  for (std::size_t i = 0; i < count; ++i) {
    Op op;
    op.type = types[up_to(types.size())];
    op.schema = "aten::" + op.type;
    op.name = op.type + "_" + std::to_string(i);
    op.attributes = {{"alpha", static_cast<std::int64_t>(up_to(5))}, {"scale", 0.5}};
    op.frame = graph.add_frame({{"net.py", static_cast<int>(i) + 1, 0, 0}, 0, none});
    op.outputs = {{std::vector<std::int64_t>{1, 4}, "float32"}};
    Parameter weight;
    weight.name = "weight";
    weight.path = "layer" + std::to_string(i) + ".weight";
    weight.type = {std::vector<std::int64_t>{static_cast<std::int64_t>(1 + up_to(8)), 4},
                   "float32"};
    weight.storage = i + 1;
    op.parameters = {graph.add_parameter(std::move(weight))};
    const OpId id = graph.add_op(std::move(op));
    const std::size_t operands = 1 + up_to(2);
    for (std::size_t operand = 0; operand < operands; ++operand)
      graph.add_product(up_to(id), id, {"value" + std::to_string(i), 0, operand, {}});
  }
  Op output;
  output.kind = OpKind::output;
  output.type = "output";
  output.name = "y";
  const OpId last = graph.add_op(std::move(output));
  graph.add_product(last - 1, last, {"result", 0, 0, {}});
  return graph;
}

/// The same graph with one product leading elsewhere.
inline GraphBuilder reconnected(const ConnectedGraph& graph, std::size_t which) {
  GraphBuilder copy;
  copy.origin = graph.origin;
  for (const Module& module : graph.modules()) copy.add_module(module);
  for (const Parameter& parameter : graph.parameters()) copy.add_parameter(parameter);
  for (const Frame& frame : graph.frames()) copy.add_frame(frame);
  for (OpId id = 0; id < graph.op_count(); ++id) copy.add_op(graph.op(id));
  std::size_t number = 0;
  const auto [begin, end] = boost::edges(graph.graph());
  for (auto edge = begin; edge != end; ++edge, ++number) {
    OpId from = boost::source(*edge, graph.graph());
    const OpId to = boost::target(*edge, graph.graph());
    if (number == which) from = from == 0 ? 1 : from - 1;
    if (from < to) copy.add_product(from, to, graph.graph()[*edge]);
  }
  return copy;
}

} // namespace model_validator::testing
