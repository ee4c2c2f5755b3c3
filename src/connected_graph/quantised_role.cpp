#include "connected_graph/quantised_role.h"

#include "connected_graph/attributes.h"
#include "connected_graph/op_type.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/dtype.h>
#include <model_validator/quantisation.h>

#include <array>
#include <limits>

namespace model_validator {
namespace {

/// Operators that store their weights in few bits, or compute in integers, and whose name follows
/// no pattern.
constexpr auto computing = std::to_array<std::string_view>(
    {"MatMulBnb4", "MatMulFpQ4", "MatMulIntegerToFloat", "MatMulInteger16", "MatMulNBits",
     "MatMulNBitsMlp", "MatMulNBitsQkv", "GatherBlockQuantized", "QAttention", "QGemm", "QMoE",
     "QEmbedLayerNormalization", "GemmFloat8"});

/// By the name of the argument, which may say that it is the result's: `Y_scale_i`.
QuantisationNumbers literal(const std::vector<Attribute>& arguments, std::string_view name) {
  QuantisationNumbers numbers;
  const AttributeValue* value = nullptr;
  for (const std::string& spelling :
       {std::string(name), "output_" + std::string(name), "Y_" + std::string(name) + "_i"})
    if (value == nullptr) value = find_attribute(arguments, spelling);
  if (value == nullptr) return numbers;
  numbers.type.shape = std::vector<std::int64_t>{};
  if (const auto* real = std::get_if<double>(value)) numbers.values = {*real};
  if (const auto* whole = std::get_if<std::int64_t>(value))
    numbers.values = {static_cast<double>(*whole)};
  // As JSON has them in an exported program.
  if (const auto* text = std::get_if<std::string>(value)) {
    const double infinity = std::numeric_limits<double>::infinity();
    if (*text == "NaN") numbers.values = {std::numeric_limits<double>::quiet_NaN()};
    if (*text == "Infinity") numbers.values = {infinity};
    if (*text == "-Infinity") numbers.values = {-infinity};
  }
  numbers.given = numbers.constant = numbers.values.has_value();
  return numbers;
}

bool dequantises(std::string_view name) {
  return name == "DequantizeLinear" || name.starts_with("dequantize") ||
         name == "DequantizeWithOrder" || name == "DequantizeBFP";
}

bool quantises(std::string_view name) {
  return name == "QuantizeLinear" || name == "DynamicQuantizeLinear" ||
         name.starts_with("quantize_per") || name == "quantize_affine" ||
         name == "QuantizeWithOrder" || name == "QuantizeBFP";
}

bool computes(std::string_view name) {
  return name.starts_with("QLinear") || name.starts_with("QOrdered") ||
         name.starts_with("DynamicQuantize") || name.ends_with("Integer") ||
         name.starts_with("choose_qparams") || contains(computing, name);
}

} // namespace

QuantisedRole quantised_role(std::string_view schema) {
  const std::string_view name = bare_operator(schema);
  if (name.find("fake_quant") != std::string_view::npos || name == "FakeQuantize")
    return QuantisedRole::fake_quantise;
  if (dequantises(name)) return QuantisedRole::dequantise;
  if (quantises(name)) return QuantisedRole::quantise;
  if (schema.starts_with("quantized::") || computes(name)) return QuantisedRole::compute;
  return QuantisedRole::other;
}

bool has_parameters(QuantisedRole role) {
  return role != QuantisedRole::other && role != QuantisedRole::compute;
}

std::shared_ptr<const Quantisation> quantisation_in(const std::vector<Attribute>& arguments) {
  auto quantisation = std::make_shared<Quantisation>();
  quantisation->scale = literal(arguments, "scale");
  quantisation->zero_point = literal(arguments, "zero_point");
  for (const char* name : {"axis", "ch_axis"})
    if (const auto* axis = find_attribute<std::int64_t>(arguments, name))
      quantisation->axis = *axis;
  if (const auto* dtype = find_attribute<std::string>(arguments, "dtype"))
    quantisation->dtype = *dtype;
  if (const auto* dtype = find_attribute<std::int64_t>(arguments, "dtype"))
    if (const auto known = dtype_numbered(&DTypeFacts::torch, *dtype))
      quantisation->dtype = to_string(*known);
  return quantisation;
}

RoleOfOp quantised_role(const Op& op) {
  RoleOfOp found{quantised_role(op.schema), &op.attributes};
  if (found.role != QuantisedRole::other || !op.body) return found;
  for (const Operator& part : *op.body)
    if (const QuantisedRole role = quantised_role(part.schema); role != QuantisedRole::other)
      found = {role, &part.attributes};
  return found;
}

bool is_quantised(const Op& op) { return quantised_role(op).role != QuantisedRole::other; }

} // namespace model_validator
