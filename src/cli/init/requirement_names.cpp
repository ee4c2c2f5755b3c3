#include "cli/init/requirement_names.h"

#include <algorithm>
#include <cctype>

namespace model_validator::cli {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
}

std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

bool describes_project(std::string_view line) {
  const std::string_view text = without_blanks_before(line);
  constexpr std::string_view keys[] = {"classifiers", "description", "keywords", "name",
                                       "packages"};
  return std::ranges::any_of(keys, [&](std::string_view key) {
    return text.starts_with(key) && (text.size() == key.size() || !is_of_name(text[key.size()]));
  });
}

/// A list of YAML begins its items so.
std::string_view item_of(std::string_view line) {
  const std::string_view text = without_blanks_before(line);
  return text.starts_with("- ") ? without_blanks_before(text.substr(2)) : text;
}

} // namespace

std::string package_of(std::string_view requirement) {
  const std::string_view text = without_blanks_before(requirement);
  const auto end = std::ranges::find_if_not(text, is_of_name);
  const std::string_view written = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  constexpr std::string_view behind = " \t\r\n[<>=!~;@,'\")#";
  if (end != text.end() && behind.find(*end) == std::string_view::npos) return {};
  std::string name;
  for (const char c : written) {
    const bool mark = c == '.' || c == '_' || c == '-';
    if (mark && name.ends_with('-')) continue;
    name += mark ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

std::vector<std::string> packages_in(std::string_view line) {
  line = line.substr(0, line.find('#'));
  if (describes_project(line)) return {};
  std::vector<std::string> names;
  const auto add = [&](std::string_view requirement) {
    if (std::string name = package_of(requirement); !name.empty()) names.push_back(std::move(name));
  };
  const std::string_view item = item_of(line);
  if (!item.starts_with('-')) add(item);
  for (std::size_t at = 0; at < line.size(); ++at)
    if (line[at] == '"' || line[at] == '\'') add(line.substr(at + 1));
  if (const auto equals = line.find("= "); equals != std::string_view::npos)
    add(line.substr(equals + 2));
  return names;
}

} // namespace model_validator::cli
