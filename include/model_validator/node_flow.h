#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/quantisation.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// What an operator does with quantised numbers.
enum class QuantisedRole : std::uint8_t {
  other,
  quantise,      ///< real numbers become stored ones
  dequantise,    ///< and the reverse
  fake_quantise, ///< both at once: real numbers are rounded
  compute,       ///< computes with stored numbers: `QLinearConv`, `MatMulInteger`
};

/// A tensor between the nodes of a file.
struct FlowValue {
  std::string name;
  TensorType type;
  std::size_t maker = none; ///< the node that yields it; `none` for inputs and constants
  ParameterId parameter = none;
  bool constant = false; ///< stored in the file
  bool declared = false; ///< and listed with its type among the values besides
  /// Of a small constant that numbers are stored for or scaled by; not of weights.
  std::optional<std::vector<double>> numbers;
};

/// How one operand or the result of a node is quantised.
struct QuantisedOperand {
  static constexpr std::size_t result = static_cast<std::size_t>(-1);
  std::size_t operand = result; ///< the node's input by number, or `result`
  std::shared_ptr<const Quantisation> quantisation;
};

/// A node of a file.
struct FlowNode {
  std::string name;   ///< in the file; may be empty
  std::string schema; ///< `onnx::QuantizeLinear`
  QuantisedRole role = QuantisedRole::other;
  std::vector<Attribute> attributes;
  std::vector<std::size_t> inputs; ///< values; `none` for one that is left out
  std::vector<std::size_t> outputs;
  std::vector<QuantisedOperand> quantised;
  OpId op = none; ///< the op that it became part of
  RegionId region = none;
};

/// The nodes of a file in execution order, and what flows between them.
struct NodeFlow {
  std::vector<FlowNode> nodes;
  std::vector<FlowValue> values;
  std::vector<std::size_t> inputs;  ///< values
  std::vector<std::size_t> outputs; ///< values
  bool quantised = false;           ///< some node has a role
};

} // namespace model_validator
