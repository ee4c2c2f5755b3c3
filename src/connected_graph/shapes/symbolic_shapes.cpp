#include "connected_graph/shapes/symbolic_shapes.h"

namespace model_validator {

using shapes::Shape;
using shapes::Size;

Shape stated_shape(const std::vector<std::int64_t>& stated) {
  Shape shape;
  for (const std::int64_t size : stated) shape.push_back(size < 0 ? Size{} : Size::of(size));
  return shape;
}

std::optional<Shape> known_shape(const ConnectedGraph& graph, OpId op, std::size_t output,
                                 const TensorType& declared) {
  if (graph.shapes && op < graph.shapes->of_ops.size()) {
    const auto& worked_out = graph.shapes->of_ops[op];
    if (output < worked_out.size() && worked_out[output]) return *worked_out[output];
  }
  return declared.shape ? std::optional(stated_shape(*declared.shape)) : std::nullopt;
}

std::optional<std::vector<std::string>> size_names(const ConnectedGraph& graph, OpId op,
                                                   std::size_t output) {
  if (!graph.shapes || op >= graph.shapes->of_ops.size()) return std::nullopt;
  const auto& outputs = graph.shapes->of_ops[op];
  if (output >= outputs.size() || !outputs[output]) return std::nullopt;
  std::vector<std::string> names;
  for (const shapes::Size size : *outputs[output]) names.push_back(graph.shapes->sizes.text(size));
  return names;
}

std::optional<std::vector<std::string>> port_size_names(const ConnectedGraph& graph, OpId port) {
  if (!graph.op(port).outputs.empty()) return size_names(graph, port, 0);
  const auto [begin, end] = boost::in_edges(port, graph.graph());
  if (begin == end) return std::nullopt;
  return size_names(graph, boost::source(*begin, graph.graph()), graph.graph()[*begin].output);
}

} // namespace model_validator
