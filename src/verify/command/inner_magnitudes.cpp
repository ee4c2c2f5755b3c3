#include "verify/command/inner_magnitudes.h"

#include "connected_graph/operators.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <string>

namespace model_validator::verify {
namespace {

/// Functions whose values lie between −1 and 1 and cannot be told apart from numbers near 1.
bool saturates(const std::string& type) {
  return contains(
      word_array<
          "sigmoid hard_sigmoid hardsigmoid softmax softmax2d softmin _softmax tanh sin cos expit">,
      type);
}

/// Its product is some of its input, or a sum or mean of it: noise stays.
bool keeps_noise(const std::string& type) {
  return does(type, moves | Does::converts | Does::drops_out | Does::bounds | Does::averages |
                        Does::interpolates | Does::adds);
}

class Magnitudes {
public:
  explicit Magnitudes(const ConnectedGraph& graph) : graph_(graph), of_(graph.op_count(), 0) {
    // Ops are numbered as they run, so what an op reads is known before it.
    for (OpId id = 0; id < of_.size(); ++id) of_[id] = magnitude_of(id);
  }

  double operator[](OpId id) const { return of_[id]; }

private:
  double magnitude_of(OpId id) const {
    const Op& op = graph_.op(id);
    if (saturates(op.type)) return 1;
    const auto operands = operands_of(id);
    if (operands.empty()) return 0;
    if (op.type == "mul") return operands.size() == 2 ? operands[0] * operands[1] : 0;
    const bool passes_on =
        op.kind == OpKind::output || op.kind == OpKind::control_flow || keeps_noise(op.type);
    return passes_on ? *std::ranges::max_element(operands) : 0;
  }

  std::vector<double> operands_of(OpId id) const {
    std::vector<double> operands;
    for (auto [edge, end] = boost::in_edges(id, graph_.graph()); edge != end; ++edge)
      operands.push_back(of_[boost::source(*edge, graph_.graph())]);
    return operands;
  }

  const ConnectedGraph& graph_;
  std::vector<double> of_;
};

/// Which ops give interpolated values, or some of them.
std::vector<bool> interpolated_values(const ConnectedGraph& graph) {
  std::vector<bool> found(graph.op_count(), false);
  for (OpId id = 0; id < found.size(); ++id) {
    const Op& op = graph.op(id);
    found[id] = does(op.type, Does::interpolates);
    if (op.kind != OpKind::output && op.kind != OpKind::control_flow && !keeps_noise(op.type))
      continue;
    for (auto [edge, end] = boost::in_edges(id, graph.graph()); edge != end; ++edge)
      if (found[boost::source(*edge, graph.graph())]) found[id] = true;
  }
  return found;
}

} // namespace

std::vector<std::uint8_t> interpolated_outputs(const ConnectedGraph& graph) {
  const auto found = interpolated_values(graph);
  std::vector<std::uint8_t> outputs;
  for (const OpId output : graph.outputs()) outputs.push_back(found[output] ? 1 : 0);
  return outputs;
}

std::vector<double> inner_magnitudes(const ConnectedGraph& graph) {
  const Magnitudes magnitudes(graph);
  std::vector<double> outputs;
  for (const OpId output : graph.outputs()) outputs.push_back(magnitudes[output]);
  return outputs;
}

} // namespace model_validator::verify
