#include "connected_graph/onnx/quantisation_reader.h"

#include "connected_graph/attributes.h"

#include <algorithm>

namespace model_validator::onnx_format {

void QuantisationReader::read(const ::onnx::NodeProto& node, const Scope& scope, ProgramNode& to) {
  if (to.role == QuantisedRole::other) return;
  for (const OperandPlaces& places : quantised_operands(node)) {
    if (places.operand >= node.input_size()) continue;
    auto quantisation = std::make_shared<Quantisation>();
    quantisation->scale = numbers_at(node, places.scale, scope);
    quantisation->zero_point = numbers_at(node, places.zero_point, scope);
    quantisation->axis = integer_of(to.attributes, "axis");
    quantisation->block_size = integer_of(to.attributes, "block_size").value_or(0);
    quantisation->dtype = stored_dtype(to, places, *quantisation);
    to.quantised.push_back({places.operand == OperandPlaces::result
                                ? QuantisedOperand::result
                                : static_cast<std::size_t>(places.operand),
                            std::move(quantisation)});
    mark_value(node, to, to.quantised.back());
    mark_parameter(to, to.quantised.back());
  }
  if (to.role == QuantisedRole::dequantise && node.input_size() > 0 && !node.input(0).empty())
    read_bias(reader_.input(node, node.input(0), scope));
}

QuantisationNumbers QuantisationReader::numbers_at(const ::onnx::NodeProto& node, int input,
                                                   const Scope& scope) {
  QuantisationNumbers numbers;
  if (input < 0 || input >= node.input_size() || node.input(input).empty()) return numbers;
  const Binding& binding = reader_.input(node, node.input(input), scope);
  if (const ProgramValue* value = assembler_.program().find(binding.value)) {
    numbers.type = value->type;
    numbers.constant = value->stored();
  }
  numbers.name = node.input(input);
  numbers.given = true;
  numbers.values = numbers_in(binding);
  return numbers;
}

std::optional<std::vector<double>> QuantisationReader::numbers_in(const Binding& binding) {
  if (binding.tensor == nullptr) return std::nullopt;
  auto values = numbers_of(*binding.tensor, source_.filtered, source_.file,
                           std::min<std::uint64_t>(max_numbers, numbers_left_));
  if (values) numbers_left_ -= values->size();
  return values;
}

/// Whether it saturates is seen only in its numbers.
void QuantisationReader::read_bias(const Binding& stored) {
  if (stored.value == none) return;
  ProgramValue& value = assembler_.value(stored.value);
  if (value.stored() && value.type.dtype == "int32" && !value.numbers && value.type.shape &&
      value.type.shape->size() == 1)
    value.numbers = numbers_in(stored);
}

std::string QuantisationReader::stored_dtype(const ProgramNode& node, const OperandPlaces& places,
                                             const Quantisation& quantisation) const {
  if (places.operand != OperandPlaces::result) {
    const ProgramValue* operand =
        assembler_.program().input(node, static_cast<std::size_t>(places.operand));
    return operand == nullptr ? std::string() : operand->type.dtype;
  }
  if (quantisation.zero_point.given) return quantisation.zero_point.type.dtype;
  if (const auto output = integer_of(node.attributes, "output_dtype"); output && *output != 0)
    return dtype_name(static_cast<int>(std::clamp<std::int64_t>(*output, 0, 1 << 16)));
  return "uint8";
}

/// Tells the products what they carry: stored numbers, or real ones that were rounded.
void QuantisationReader::mark_value(const ::onnx::NodeProto& node, const ProgramNode& read,
                                    const QuantisedOperand& how) {
  const bool of_result =
      how.operand == QuantisedOperand::result || read.role == QuantisedRole::dequantise;
  if (of_result && node.output_size() > 0 && !node.output(0).empty())
    assembler_.value(read.outputs[0]).quantisation = how.quantisation;
}

void QuantisationReader::mark_parameter(const ProgramNode& read, const QuantisedOperand& how) {
  if (how.operand == QuantisedOperand::result) return;
  const ParameterId parameter = assembler_.program().parameter_of(read.inputs[how.operand]);
  if (parameter == none) return;
  Parameter& stored = graph_.parameters()[parameter];
  stored.quantisation = how.quantisation;
  stored.buffer = false; // a weight, whatever it is stored as
}

} // namespace model_validator::onnx_format
