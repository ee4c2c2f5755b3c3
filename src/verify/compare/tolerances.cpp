#include <model_validator/error.h>
#include <model_validator/verify/tolerances.h>

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace model_validator::verify {

namespace {

Error bad(const std::string& option, std::string_view part) {
  return Error(
      ErrorKind::bad_tolerance, "", "`" + std::string(part) + "` is not a tolerance for " + option,
      "write a number for all outputs, NAME=NUMBER for one, or several with commas between");
}

Error given_twice(const std::string& option, std::string_view part) {
  return Error(ErrorKind::bad_tolerance, "",
               "`" + std::string(part) + "` gives " + option +
                   " a second time for the same outputs");
}

double parse_number(std::string_view text, std::string_view part, const std::string& option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0)
    throw bad(option, part);
  return value;
}

std::string listed(const std::vector<OutputNames>& outputs) {
  std::vector<std::string> names;
  for (const OutputNames& output : outputs) names.push_back("`" + output.name + "`");
  return names.empty() ? "there are no outputs" : "the outputs are " + boost::join(names, ", ");
}

/// An output's own name goes before another's position or alias.
const std::string& name_for(const std::string& given, const std::vector<OutputNames>& outputs) {
  const auto is_own = [&](const OutputNames& output) { return output.name == given; };
  const auto is_alias = [&](const OutputNames& output) {
    return std::ranges::count(output.aliases, given) != 0;
  };
  auto found = std::ranges::find_if(outputs, is_own);
  if (found == outputs.end()) found = std::ranges::find_if(outputs, is_alias);
  if (found == outputs.end())
    throw Error(ErrorKind::bad_tolerance, "",
                "a tolerance is given for `" + given + "`, but no output is called that",
                listed(outputs));
  return found->name;
}

} // namespace

OutputTolerances OutputTolerances::of(const std::vector<OutputNames>& outputs) const {
  OutputTolerances named{all, {}};
  for (const auto& [given, tolerance] : by_output) {
    const std::string& name = name_for(given, outputs);
    if (!named.by_output.emplace(name, tolerance).second)
      throw Error(ErrorKind::bad_tolerance, "",
                  "two tolerances are given for the output `" + name + "`", listed(outputs));
  }
  return named;
}

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
    if (equals == 0) throw bad(option, part);
    const bool names_one = equals != std::string_view::npos;
    const double number = parse_number(part.substr(names_one ? equals + 1 : 0), part, option);
    const bool is_new = names_one ? result.by_output.emplace(part.substr(0, equals), number).second
                                  : !std::exchange(result.all, number).has_value();
    if (!is_new) throw given_twice(option, part);
    if (comma == std::string_view::npos) return result;
    text.remove_prefix(comma + 1);
  }
}

} // namespace model_validator::verify
