#include <model_validator/error.h>
#include <model_validator/verify/value.h>

#include <array>
#include <variant>

namespace model_validator::verify {

namespace {

void collect(const Value& value, const std::string& path, std::vector<Leaf>& leaves) {
  if (const auto* sequence = std::get_if<Sequence>(&value.data)) {
    for (std::size_t i = 0; i < sequence->items.size(); ++i)
      collect(sequence->items[i], join_path(path, step_name(*sequence, i)), leaves);
  } else if (const auto* dict = std::get_if<Dict>(&value.data)) {
    for (const auto& [key, item] : dict->items) collect(item, join_path(path, key), leaves);
  } else if (std::holds_alternative<std::string>(value.data)) {
    leaves.push_back({path, value});
  } else if (!std::holds_alternative<None>(value.data)) {
    leaves.push_back({path, Value{as_tensor(value)}});
  }
}

} // namespace

const char* kind_name(const Value& value) {
  // In the order of the alternatives of `Value::data`.
  constexpr std::array names{"None", "bool", "int", "float", "str", "tensor", "list", "dict"};
  static_assert(names.size() == std::variant_size_v<decltype(value.data)>);
  return names.at(value.data.index());
}

std::string step_name(const Sequence& sequence, std::size_t index) {
  return sequence.names.empty() ? std::to_string(index) : sequence.names.at(index);
}

std::string join_path(const std::string& path, const std::string& step) {
  return path.empty() ? step : path + "." + step;
}

std::vector<Leaf> flatten(const Value& value) {
  std::vector<Leaf> leaves;
  collect(value, "", leaves);
  return leaves;
}

Tensor as_tensor(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value.data)) {
    const std::uint8_t byte = *truth ? 1 : 0;
    return make_tensor(DType::bool_, {}, &byte);
  }
  if (const auto* whole = std::get_if<std::int64_t>(&value.data))
    return make_tensor(DType::int64, {}, whole);
  if (const auto* real = std::get_if<double>(&value.data))
    return make_tensor(DType::float64, {}, real);
  if (const auto* tensor = std::get_if<Tensor>(&value.data)) return *tensor;
  throw Error(ErrorKind::unsupported_value, "",
              std::string("a ") + kind_name(value) + " is not a tensor");
}

} // namespace model_validator::verify
