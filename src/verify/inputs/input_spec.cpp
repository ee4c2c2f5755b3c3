#include <model_validator/error.h>
#include <model_validator/verify/inputs.h>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>

#include <array>
#include <charconv>
#include <regex>
#include <string_view>
#include <utility>

namespace model_validator::verify {
namespace {

using Spelling = std::pair<std::string_view, std::string_view>;

/// What other programs call dtypes, and what they are called here.
constexpr std::array<Spelling, 7> dtypes_elsewhere{{{"float", "float32"},
                                                    {"half", "float16"},
                                                    {"double", "float64"},
                                                    {"int", "int32"},
                                                    {"long", "int64"},
                                                    {"byte", "uint8"},
                                                    {"boolean", "bool"}}};
constexpr std::array<Spelling, 5> dtype_beginnings{
    {{"fp", "float"}, {"f", "float"}, {"bf", "bfloat"}, {"i", "int"}, {"u", "uint"}}};

[[noreturn]] void refuse(std::string_view text, const std::string& cause,
                         const std::string& hint = "write it as name=1x3x224x224:float32 or "
                                                   "name=1x16:int64:0..99") {
  throw Error(ErrorKind::bad_input_spec, "", "`--input " + std::string(text) + "`: " + cause, hint);
}

/// The dtype that a word of another program means: `fp16`, `half`, `torch.float16`; empty for none.
std::string dtype_meant_by(std::string word) {
  if (const auto dot = word.rfind('.'); dot != std::string::npos) word.erase(0, dot + 1);
  if (parse_dtype(word)) return word;
  for (const auto& [elsewhere, name] : dtypes_elsewhere)
    if (word == elsewhere) return std::string(name);
  const auto digits = word.find_first_of("0123456789");
  if (digits == std::string::npos) return {};
  for (const auto& [letters, name] : dtype_beginnings)
    if (const std::string full = std::string(name) + word.substr(digits);
        word.substr(0, digits) == letters && parse_dtype(full))
      return full;
  return {};
}

/// `1x3x8x8` of `[1, 3, 8, 8]`, as other programs write a shape; empty for anything else.
std::string shape_meant_by(std::string_view text) {
  std::string sizes;
  bool apart = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      if (apart && !sizes.empty()) sizes += 'x';
      sizes += c;
    } else if (std::string_view("[](), X*").find(c) == std::string_view::npos) {
      return {};
    }
    apart = c < '0' || c > '9';
  }
  return sizes;
}

[[noreturn]] void refuse_shape(std::string_view spec, const std::string& text) {
  const std::string cause = "`" + text + "` is not a shape";
  const std::string meant = shape_meant_by(text);
  if (meant.empty()) refuse(spec, cause);
  refuse(spec, cause, "did you mean `" + meant + "`?");
}

DType dtype_from(const std::string& word, std::string_view spec) {
  if (const auto dtype = parse_dtype(word)) return *dtype;
  const std::string cause = "`" + word + "` is not a dtype";
  const std::string meant = dtype_meant_by(word);
  if (meant.empty()) refuse(spec, cause);
  refuse(spec, cause, "did you mean `" + meant + "`?");
}

double number_from(const std::string& text, std::string_view spec) {
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size())
    refuse(spec, "`" + text + "` is not a number");
  return number;
}

ValueRange range_from(const std::string& text, std::string_view spec) {
  const auto dots = text.find("..");
  if (dots == std::string::npos) refuse(spec, "`" + text + "` is not a range such as 0..255");
  const ValueRange range{number_from(text.substr(0, dots), spec),
                         number_from(text.substr(dots + 2), spec)};
  if (!(range.low <= range.high)) refuse(spec, "the range `" + text + "` is empty");
  return range;
}

Shape shape_from(const std::string& text, std::string_view spec) {
  if (text == "scalar") return {};
  std::vector<std::string> sizes;
  boost::split(sizes, text, boost::is_any_of("x"));
  Shape shape;
  double count = 1;
  for (const auto& size : sizes) {
    if (size.size() > 12) refuse(spec, "`" + size + "` is not a sensible size");
    shape.push_back(std::stoll(size));
    count *= static_cast<double>(shape.back());
  }
  if (count > 1e11) refuse(spec, "a tensor of shape " + to_string(shape) + " does not fit");
  return shape;
}

} // namespace

ValueRange parse_range(std::string_view text) { return range_from(std::string(text), text); }

InputSpec parse_input_spec(std::string_view text) {
  InputSpec spec;
  std::string rest(text);
  if (const auto equals = rest.find('='); equals != std::string::npos) {
    spec.name = rest.substr(0, equals);
    rest.erase(0, equals + 1);
    if (spec.name.empty()) refuse(text, "the name before `=` is missing");
  }
  std::vector<std::string> parts;
  boost::split(parts, rest, boost::is_any_of(":"));
  if (parts.size() == 1) spec.literal = rest;
  static const std::regex sizes("scalar|\\d+(x\\d+)*");
  constexpr std::size_t max_shape_length = 1024; // matching uses stack in proportion to its length
  if (parts[0].size() > max_shape_length || !std::regex_match(parts[0], sizes)) {
    if (spec.literal && !rest.empty() && !spec.name.empty()) return spec;
    refuse_shape(text, parts[0]);
  }
  spec.shape = shape_from(parts[0], text);
  if (parts.size() > 3) refuse(text, "more than shape, dtype and range");
  if (parts.size() > 1) spec.dtype = dtype_from(parts[1], text);
  if (parts.size() > 2) spec.range = range_from(parts[2], text);
  return spec;
}

} // namespace model_validator::verify
