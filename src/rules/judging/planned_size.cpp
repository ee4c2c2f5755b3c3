#include "rules/judging/planned_size.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/dtype.h>

#include <algorithm>

namespace model_validator::rules {
namespace {

constexpr std::uint64_t scale_bytes = 4;

std::uint64_t elements_of(const TensorType& type) {
  if (!type.shape) return 0;
  std::uint64_t count = 1;
  for (const std::int64_t size : *type.shape) {
    if (size < 0) return 0;
    count *= static_cast<std::uint64_t>(size);
  }
  return count;
}

unsigned bits_of(const TensorType& type) {
  const auto dtype = dtype_named(type.dtype);
  return dtype ? facts_of(*dtype).bits : 0;
}

bool is_float(const FlowValue& value) {
  return value.type.dtype == "float32" || value.type.dtype == "float64" ||
         value.type.dtype == "float16" || value.type.dtype == "bfloat16";
}

/// How many numbers share their input channel's row: the size that a group divides.
std::int64_t width_of(const FlowNode& node, const std::vector<std::int64_t>& shape) {
  return node.schema.starts_with("onnx::") ? shape.front() : shape.back();
}

} // namespace

std::string why_weight_stays(const FlowNode& node, const NodeFlow& flow,
                             const QuantisationScheme& scheme) {
  const std::size_t weight = node.inputs.size() > 1 ? node.inputs[1] : none;
  if (weight == none || !flow.values[weight].constant) return "its weight is computed";
  const auto& shape = flow.values[weight].type.shape;
  if (!shape || shape->size() != 2) return "its weight is no matrix";
  if (scheme.group_divides && width_of(node, *shape) % scheme.group != 0)
    return "groups of " + std::to_string(scheme.group) + " do not divide its width, " +
           std::to_string(width_of(node, *shape));
  return {};
}

PlannedSize::PlannedSize(const NodeFlow& flow, const QuantisationScheme& scheme)
    : flow_(flow), scheme_(scheme), bytes_(flow.values.size()) {
  for (std::size_t i = 0; i < flow.values.size(); ++i) {
    const FlowValue& value = flow.values[i];
    if (!value.constant || value.maker != none) continue;
    bytes_[i] = elements_of(value.type) * bits_of(value.type) / 8;
    before_ += bytes_[i];
  }
}

void PlannedSize::store(std::size_t value, std::uint64_t bytes) {
  if (value != none && bytes_[value] > 0 && is_float(flow_.values[value]))
    bytes_[value] = std::min(bytes_[value], bytes);
}

std::uint64_t PlannedSize::quantised_bytes(const FlowValue& value) const {
  const std::uint64_t count = elements_of(value.type);
  const auto bits = static_cast<std::uint64_t>(scheme_.bits);
  if (scheme_.everything) return count * bits / 8;
  std::uint64_t scales = 1;
  if (scheme_.grouped)
    scales = (count + static_cast<std::uint64_t>(scheme_.group) - 1) /
             static_cast<std::uint64_t>(scheme_.group);
  else if (scheme_.per_channel && value.type.shape && value.type.shape->size() > 1)
    scales = static_cast<std::uint64_t>(value.type.shape->front());
  return (count * bits + 7) / 8 + scales * (scale_bytes + 1);
}

void PlannedSize::take(const FlowNode& node, const QuantisedOperators* row) {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const std::size_t value = node.inputs[i];
    if (value == none) continue;
    const auto number = static_cast<int>(i);
    const bool taken = scheme_.everything ? true
                       : row == nullptr   ? i == 1
                                          : row->all_operands || contains(row->operands, number);
    if (taken)
      store(value, quantised_bytes(flow_.values[value]));
    else if (row != nullptr && row->bias == number)
      store(value, elements_of(flow_.values[value].type) * 4);
  }
}

std::uint64_t PlannedSize::after() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t bytes : bytes_) sum += bytes;
  return sum;
}

} // namespace model_validator::rules
