#include "rules/operator_version.h"

#include <model_validator/data/words.h>

#include <charconv>
#include <stdexcept>

namespace model_validator::rules {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The parts between the separators, without the spaces around them; none of an empty text.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!trimmed(text).empty()) parts.push_back(trimmed(take_before(separator, text)));
  return parts;
}

OperatorVersion::Parameter parse_parameter(std::string_view text) {
  OperatorVersion::Parameter parameter;
  const auto ends = [&text](std::string_view mark) {
    if (!text.ends_with(mark)) return false;
    text.remove_suffix(mark.size());
    return true;
  };
  using Kind = OperatorVersion::Parameter::Kind;
  if (ends("?")) {
    parameter.kind = Kind::optional;
  } else if (ends("**")) {
    parameter = {{}, Kind::variadic, 0, false, {}};
  } else if (ends("*")) {
    parameter = {{}, Kind::variadic, 0, true, {}};
  } else if (ends("+")) {
    parameter = {{}, Kind::variadic, 1, true, {}};
  }
  parameter.type = std::string(take_before('/', text));
  parameter.kinds = std::string(text);
  return parameter;
}

std::vector<OperatorVersion::Parameter> parse_parameters(std::string_view text) {
  std::vector<OperatorVersion::Parameter> parameters;
  for (const std::string_view each : split(text, ' ')) parameters.push_back(parse_parameter(each));
  return parameters;
}

/// `name` and what follows the separator.
std::pair<std::string_view, std::string_view> divide(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos || at == 0)
    throw std::invalid_argument("`" + std::string(text) + "` has no `" + separator + "`");
  return {text.substr(0, at), text.substr(at + 1)};
}

DtypesOfVariables parse_dtypes(std::string_view text, const NamedDtypes& named) {
  DtypesOfVariables dtypes;
  for (const std::string_view each : split(text, ' ')) {
    const auto [variable, set] = divide(each, '=');
    const auto found = named.find(set);
    dtypes.emplace(variable, found != named.end()
                                 ? found->second
                                 : std::make_shared<std::vector<std::string>>(1, std::string(set)));
  }
  return dtypes;
}

void parse_attributes(std::string_view text, OperatorVersion& version) {
  for (const std::string_view each : split(text, ' ')) {
    if (each == "*") {
      version.any_attribute = true;
      continue;
    }
    auto [name, kind] = divide(each, ':');
    const bool required = kind.ends_with('!');
    if (required) kind.remove_suffix(1);
    version.attributes[std::string(name)] = {std::string(kind), required};
  }
}

} // namespace

OperatorVersion parse_operator_version(std::string_view record, const NamedDtypes& named) {
  std::vector<std::string_view> parts = split(record, '|');
  if (parts.size() == 5) parts.emplace_back(); // nothing after the last bar
  if (parts.size() != 6) throw std::invalid_argument("a version has six parts between bars");
  OperatorVersion version;
  const auto [end, failed] =
      std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), version.since);
  if (failed != std::errc{} || end != parts[0].data() + parts[0].size())
    throw std::invalid_argument("a version begins with the opset that brought it");
  version.inputs = parse_parameters(parts[1]);
  version.outputs = parse_parameters(parts[2]);
  parse_attributes(parts[3], version);
  version.allowed = parse_dtypes(parts[4], named);
  version.takes_all = parts[5] == "*";
  if (!version.takes_all)
    for (const std::string_view each : split(parts[5], ';'))
      version.taken.push_back(parse_dtypes(each, named));
  return version;
}

} // namespace model_validator::rules
