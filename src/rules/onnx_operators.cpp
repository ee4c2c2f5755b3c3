#include "rules/onnx_operators.h"

#include "text/nearest.h"

#include <algorithm>

namespace model_validator::rules {
namespace {

/// `onnx::` of `onnx::Relu`.
std::string_view space_of(std::string_view schema) {
  const std::size_t end = schema.find("::");
  return end == std::string_view::npos ? std::string_view() : schema.substr(0, end + 2);
}

} // namespace

bool is_misnamed(std::string_view schema) {
  const std::string_view space = space_of(schema);
  const auto known = std::lower_bound(onnx_operators.begin(), onnx_operators.end(), schema);
  if (space.empty() || (known != onnx_operators.end() && *known == schema)) return false;
  const auto first = std::lower_bound(onnx_operators.begin(), onnx_operators.end(), space);
  return first != onnx_operators.end() && first->starts_with(space);
}

std::string nearest_operator(std::string_view schema) {
  const std::string_view space = space_of(schema);
  std::vector<std::string> names;
  for (const std::string_view each : onnx_operators)
    if (each.starts_with(space)) names.emplace_back(each.substr(space.size()));
  return nearest(schema.substr(space.size()), names);
}

} // namespace model_validator::rules
