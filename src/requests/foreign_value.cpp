#include "requests/foreign_value.h"

#include "requests/call_options.h"

#include <model_validator/error.h>

#include <limits>

namespace model_validator {
namespace {

using Json = nlohmann::json;
using verify::Value;

/// Nothing nests its results deeper; the recursion must end.
constexpr std::size_t max_depth = 500;

[[noreturn]] void refuse(const std::string& cause) { throw Error(ErrorKind::bad_value, "", cause); }

verify::Tensor tensor_from(const mv_array& array) {
  const auto dtype = verify::parse_dtype(array.dtype == nullptr ? "" : array.dtype);
  if (!dtype)
    refuse(std::string("an array has the dtype `") + (array.dtype == nullptr ? "" : array.dtype) +
           "`, which is not known");
  if (array.rank > 0 && array.shape == nullptr) refuse("an array has no shape");
  verify::Shape shape(array.shape, array.shape + array.rank);
  for (const std::int64_t size : shape)
    if (size < 0) refuse("an array has a negative size");
  verify::TensorView view = verify::contiguous_view(array.data, *dtype, std::move(shape));
  if (array.data == nullptr && verify::element_count(view) > 0) refuse("an array has no data");
  if (array.strides != nullptr) view.strides.assign(array.strides, array.strides + array.rank);
  return {std::move(view), nullptr};
}

double number_from(const std::string& word) {
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  refuse("`" + word + "` is not a number");
}

/// JSON iterates over everything, as if it were a list of one.
const Json& list_of(const Json& json) {
  if (!json.is_array()) refuse("the items of a result are not a list");
  return json;
}

/// Builds values from JSON that names arrays.
class ValueReader {
public:
  explicit ValueReader(const mv_value& value) : value_(value) {}

  Value read(const Json& json, std::size_t depth = 0) const {
    if (depth > max_depth) refuse("a result is nested too deeply");
    if (json.is_object()) return read_object(json, depth);
    if (json.is_null()) return {verify::None{}};
    if (json.is_boolean()) return {json.get<bool>()};
    if (json.is_number_integer()) return {json.get<std::int64_t>()};
    if (json.is_number()) return {json.get<double>()};
    if (json.is_string()) return {json.get<std::string>()};
    refuse("a result is described by a bare list");
  }

private:
  Value read_object(const Json& json, std::size_t depth) const {
    if (const auto array = json.find("array"); array != json.end())
      return {tensor_from(array_at(array->get<std::size_t>()))};
    if (const auto number = json.find("number"); number != json.end())
      return {number_from(number->get<std::string>())};
    if (const auto entries = json.find("entries"); entries != json.end())
      return {read_dict(*entries, depth)};
    return {read_sequence(json, depth)};
  }

  const mv_array& array_at(std::size_t index) const {
    if (index >= value_.count || value_.arrays == nullptr)
      refuse("there are fewer arrays than named");
    return value_.arrays[index];
  }

  verify::Dict read_dict(const Json& entries, std::size_t depth) const {
    verify::Dict dict;
    for (const Json& entry : list_of(entries))
      dict.items.emplace_back(entry.at(0).get<std::string>(), read(entry.at(1), depth + 1));
    return dict;
  }

  verify::Sequence read_sequence(const Json& json, std::size_t depth) const {
    verify::Sequence sequence;
    for (const Json& item : list_of(json.at("items")))
      sequence.items.push_back(read(item, depth + 1));
    sequence.names = json.value("names", std::vector<std::string>{});
    if (!sequence.names.empty() && sequence.names.size() != sequence.items.size())
      refuse("a named tuple has a different number of names than items");
    return sequence;
  }

  const mv_value& value_;
};

} // namespace

Value value_from(const mv_value& value) try {
  return ValueReader(value).read(
      parse_json(value.structure == nullptr ? "" : value.structure, "the structure of a result"));
} catch (const Json::exception& error) {
  refuse(std::string("a result is not well described: ") + error.what());
}

} // namespace model_validator
