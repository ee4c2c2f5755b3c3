#include <model_validator/error.h>
#include <model_validator/verify/tolerances.h>

#include <charconv>
#include <cmath>

namespace model_validator::verify {

namespace {

Error bad(const std::string& option, std::string_view part) {
  return Error(
      ErrorKind::bad_tolerance, "", "`" + std::string(part) + "` is not a tolerance for " + option,
      "write a number for all outputs, or NAME=NUMBER for one: " + option + " 1e-5,logits=1e-3");
}

double parse_number(std::string_view text, std::string_view part, const std::string& option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0)
    throw bad(option, part);
  return value;
}

} // namespace

std::optional<double> OutputTolerances::find(const std::string& output) const {
  const auto own = by_output.find(output);
  return own != by_output.end() ? std::optional<double>(own->second) : all;
}

OutputTolerances parse_tolerances(std::string_view text, const std::string& option) {
  OutputTolerances result;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    // Output names may contain `=`; a number does not.
    const std::size_t equals = part.rfind('=');
    if (equals == std::string_view::npos)
      result.all = parse_number(part, part, option);
    else if (equals == 0)
      throw bad(option, part);
    else
      result.by_output[std::string(part.substr(0, equals))] =
          parse_number(part.substr(equals + 1), part, option);
    if (comma == std::string_view::npos) return result;
    text.remove_prefix(comma + 1);
  }
}

} // namespace model_validator::verify
