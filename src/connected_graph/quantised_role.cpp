#include "connected_graph/quantised_role.h"

#include <algorithm>
#include <array>

namespace model_validator {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Without namespace and overload.
std::string_view base_name(std::string_view schema) {
  if (const auto at = schema.rfind("::"); at != std::string_view::npos)
    schema.remove_prefix(at + 2);
  return schema.substr(0, schema.find('.'));
}

/// Operators that store their weights in few bits, or compute in integers, and whose name follows
/// no pattern.
constexpr auto computing = std::to_array<std::string_view>(
    {"MatMulBnb4", "MatMulFpQ4", "MatMulIntegerToFloat", "MatMulInteger16", "MatMulNBits",
     "MatMulNBitsMlp", "MatMulNBitsQkv", "GatherBlockQuantized", "QAttention", "QGemm", "QMoE",
     "QEmbedLayerNormalization", "GemmFloat8"});

} // namespace

QuantisedRole quantised_role(std::string_view schema) {
  const std::string_view name = base_name(schema);
  if (contains(name, "fake_quant") || name == "FakeQuantize") return QuantisedRole::fake_quantise;
  if (name == "DequantizeLinear" || name.starts_with("dequantize") ||
      name == "DequantizeWithOrder" || name == "DequantizeBFP")
    return QuantisedRole::dequantise;
  if (name == "QuantizeLinear" || name == "DynamicQuantizeLinear" ||
      name.starts_with("quantize_per") || name == "quantize_affine" ||
      name == "QuantizeWithOrder" || name == "QuantizeBFP")
    return QuantisedRole::quantise;
  if (schema.starts_with("quantized::") || name.starts_with("QLinear") ||
      name.starts_with("QOrdered") || name.starts_with("DynamicQuantize") ||
      name.ends_with("Integer") || name.starts_with("choose_qparams") ||
      std::find(computing.begin(), computing.end(), name) != computing.end())
    return QuantisedRole::compute;
  return QuantisedRole::other;
}

bool is_quantised(const Op& op) {
  if (quantised_role(op.schema) != QuantisedRole::other) return true;
  return op.body && std::any_of(op.body->begin(), op.body->end(), [](const Operator& part) {
           return quantised_role(part.schema) != QuantisedRole::other;
         });
}

} // namespace model_validator
