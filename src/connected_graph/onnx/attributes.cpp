#include "connected_graph/onnx/attributes.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace model_validator::onnx_format {

using A = ::onnx::AttributeProto;

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

const A* attribute_named(const ::onnx::NodeProto& node, std::string_view name) {
  const auto found =
      std::ranges::find_if(node.attribute(), [name](const A& each) { return each.name() == name; });
  return found == node.attribute().end() ? nullptr : &*found;
}

std::int64_t integer_named(const ::onnx::NodeProto& node, std::string_view name,
                           std::int64_t usual) {
  const auto* found = attribute_named(node, name);
  return found == nullptr ? usual : found->i();
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
  struct Row {
    std::string_view types;
    std::array<std::string_view, 5> names;
  };
  static constexpr auto rows = std::to_array<Row>({
      {"Reshape Expand", {"", "shape"}},
      {"ConstantOfShape", {"shape"}},
      {"Slice", {"", "starts", "ends", "axes", "steps"}},
      {"Squeeze Unsqueeze ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL2",
       {"", "axes"}},
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
  });
  for (const Row& row : rows)
    if (index < row.names.size() && !row.names[index].empty() &&
        contains(words_in(row.types), op_type))
      return std::string(row.names[index]);
  return "input" + std::to_string(index);
}

} // namespace model_validator::onnx_format
