#include "connected_graph/onnx/attributes.h"

#include <array>
#include <string_view>
#include <utility>

namespace model_validator::onnx_format {
namespace {

using A = ::onnx::AttributeProto;

} // namespace

A::AttributeType type_of(const A& attribute) {
  if (attribute.type() != A::UNDEFINED) return attribute.type();
  if (attribute.has_f()) return A::FLOAT;
  if (attribute.has_i()) return A::INT;
  if (attribute.has_s()) return A::STRING;
  if (attribute.has_t()) return A::TENSOR;
  if (attribute.ints_size() > 0) return A::INTS;
  if (attribute.floats_size() > 0) return A::FLOATS;
  if (attribute.strings_size() > 0) return A::STRINGS;
  return A::UNDEFINED;
}

const A* resolve(const A& attribute, const FunctionAttributes& given) {
  if (attribute.ref_attr_name().empty()) return &attribute;
  const auto found = given.find(attribute.ref_attr_name());
  return found == given.end() ? nullptr : found->second;
}

std::optional<AttributeValue> value_of(const A& attribute, const FilteredModel& model,
                                       const InputFile& file) {
  switch (type_of(attribute)) {
  case A::FLOAT: return static_cast<double>(attribute.f());
  case A::INT: return attribute.i();
  case A::STRING: return attribute.s();
  case A::TENSOR: return literal(attribute.t(), model, file);
  case A::FLOATS: return std::vector<double>(attribute.floats().begin(), attribute.floats().end());
  case A::INTS: return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
  case A::STRINGS:
    return std::vector<std::string>(attribute.strings().begin(), attribute.strings().end());
  default: return std::nullopt;
  }
}

std::string constant_input_name(std::string_view op_type, std::size_t index) {
  using Names = std::array<std::string_view, 5>;
  static constexpr std::array<std::pair<std::string_view, Names>, 25> known{{
      {"Reshape", {"", "shape"}},
      {"Expand", {"", "shape"}},
      {"ConstantOfShape", {"shape"}},
      {"Slice", {"", "starts", "ends", "axes", "steps"}},
      {"Squeeze", {"", "axes"}},
      {"Unsqueeze", {"", "axes"}},
      {"ReduceSum", {"", "axes"}},
      {"ReduceMean", {"", "axes"}},
      {"ReduceMax", {"", "axes"}},
      {"ReduceMin", {"", "axes"}},
      {"ReduceProd", {"", "axes"}},
      {"ReduceL2", {"", "axes"}},
      {"Split", {"", "split"}},
      {"Clip", {"", "min", "max"}},
      {"Pad", {"", "pads", "constant_value", "axes"}},
      {"Resize", {"", "roi", "scales", "sizes"}},
      {"Upsample", {"", "scales"}},
      {"Tile", {"", "repeats"}},
      {"Gather", {"", "indices"}},
      {"TopK", {"", "k"}},
      {"Dropout", {"", "ratio", "training_mode"}},
      {"OneHot", {"", "depth", "values"}},
      {"CumSum", {"", "axis"}},
      {"Range", {"start", "limit", "delta"}},
      {"Pow", {"", "exponent"}},
  }};
  for (const auto& [type, names] : known)
    if (type == op_type && index < names.size() && !names[index].empty())
      return std::string(names[index]);
  return "input" + std::to_string(index);
}

} // namespace model_validator::onnx_format
