#include <model_validator/error.h>
#include <model_validator/verify/inputs.h>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>

#include <charconv>
#include <regex>

namespace model_validator::verify {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& cause) {
  throw Error(ErrorKind::bad_input_spec, "", "`--input " + std::string(text) + "`: " + cause,
              "write it as name=1x3x224x224:float32 or name=1x16:int64:0..99");
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
    refuse(text, "`" + parts[0] + "` is not a shape");
  }
  spec.shape = shape_from(parts[0], text);
  if (parts.size() > 3) refuse(text, "more than shape, dtype and range");
  if (parts.size() > 1) {
    const auto dtype = parse_dtype(parts[1]);
    if (!dtype) refuse(text, "`" + parts[1] + "` is not a dtype");
    spec.dtype = *dtype;
  }
  if (parts.size() > 2) spec.range = range_from(parts[2], text);
  return spec;
}

} // namespace model_validator::verify
