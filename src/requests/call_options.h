#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// The options of a call: one JSON object. Every option has one type; an option that is not asked
/// for by name is an error, so that a misspelt one is not ignored.
class CallOptions {
public:
  /// @param text  empty: no options @throws Error (`bad-options`) for anything but a JSON object
  explicit CallOptions(std::string_view text);

  // Each is none where the option is left out or null. @throws Error (`bad-options`) for another
  // type
  std::optional<bool> flag(const char* name);
  std::optional<std::int64_t> integer(const char* name);
  std::optional<double> number(const char* name);
  std::optional<std::string> text(const char* name);
  /// A list of texts, or one text.
  std::optional<std::vector<std::string>> texts(const char* name);
  std::optional<std::vector<std::filesystem::path>> paths(const char* name);
  /// An object or a list; null where it is left out.
  nlohmann::json structure(const char* name);

  /// Must be called when all options were asked for. @throws Error (`bad-options`) that names one
  /// that was not, with the nearest known option
  void require_all_known() const;

private:
  const nlohmann::json* find(const char* name);

  nlohmann::json values_;
  std::set<std::string> known_;
};

/// Parses JSON of a caller. @throws Error (`bad-options`)
nlohmann::json parse_json(std::string_view text, const std::string& what);

} // namespace model_validator
