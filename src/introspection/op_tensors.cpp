#include "introspection/op_tensors.h"

#include "connected_graph/op_type.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>
#include <model_validator/node_flow.h>

#include <optional>

namespace model_validator {
namespace {

/// Operators behind which a stored tensor is still itself, but for its shape.
constexpr auto passing =
    word_array<"identity cast cast_like to clone contiguous detach alias reshape view squeeze "
               "unsqueeze flatten permute transpose t">;
constexpr auto turning = word_array<"permute transpose t">;

/// The nodes of a file that an op stands for.
class NodeTensors {
public:
  explicit NodeTensors(const NodeFlow& flow) : flow_(flow) {}

  std::vector<OpTensor> of(OpId op) const {
    std::vector<OpTensor> found;
    for (const FlowNode& node : flow_.nodes)
      if (node.op == op) add(node, found);
    return found;
  }

private:
  void add(const FlowNode& node, std::vector<OpTensor>& found) const {
    for (std::size_t operand = 0; operand < node.inputs.size(); ++operand) {
      auto tensor = behind(node.inputs[operand], max_steps);
      if (!tensor || tensor->name.empty()) continue;
      for (const QuantisedOperand& each : node.quantised)
        if (each.operand == operand && !tensor->quantisation)
          tensor->quantisation = each.quantisation;
      found.push_back(std::move(*tensor));
    }
  }

  /// @param steps  that are taken at most, so that a file of a million of them is not followed
  std::optional<OpTensor> behind(std::size_t value, int steps) const {
    if (value == none || steps == 0) return std::nullopt;
    const FlowValue& described = flow_.values[value];
    if (described.maker == none)
      return described.constant ? std::optional(OpTensor{described.name, {}, false, {}})
                                : std::nullopt;
    const FlowNode& maker = flow_.nodes[described.maker];
    const bool dequantises = maker.role == QuantisedRole::dequantise;
    const std::string type = type_of_schema(maker.schema);
    if (maker.inputs.empty() || !(dequantises || contains(passing, type))) return std::nullopt;
    auto tensor = behind(maker.inputs[0], steps - 1);
    if (!tensor) return std::nullopt;
    if (contains(turning, type)) tensor->turned = !tensor->turned;
    if (dequantises && !maker.quantised.empty())
      tensor->quantisation = maker.quantised.front().quantisation;
    return tensor;
  }

  static constexpr int max_steps = 8;
  const NodeFlow& flow_;
};

} // namespace

std::vector<OpTensor> tensors_of(const ConnectedGraph& graph, OpId op) {
  if (graph.flow && !graph.flow->nodes.empty()) return NodeTensors(*graph.flow).of(op);
  std::vector<OpTensor> found;
  for (const ParameterId id : graph.op(op).parameters) {
    const Parameter& parameter = graph.parameters()[id];
    found.push_back({parameter.path, parameter.name, false, parameter.quantisation});
  }
  return found;
}

} // namespace model_validator
