#pragma once

#include "options/option.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// The options of a call: one JSON object. Every option has one type; an option that is not asked
/// for by name is an error, so that a misspelt one is not ignored.
class CallOptions final : public OptionVisitor {
public:
  /// @param text  empty: no options @throws Error (`bad-options`) for anything but a JSON object
  explicit CallOptions(std::string_view text);

  // Each is none where the option is left out or null. @throws Error (`bad-options`) for another
  // type
  std::optional<bool> flag(const std::string& name);
  std::optional<std::int64_t> integer(const std::string& name);
  std::optional<double> number(const std::string& name);
  /// A number as it would be written, or a text.
  std::optional<std::string> number_or_text(const std::string& name);
  std::optional<std::string> text(const std::string& name);
  /// A list of texts, or one text.
  std::optional<std::vector<std::string>> texts(const std::string& name);
  std::optional<std::vector<std::filesystem::path>> paths(const std::string& name);
  /// An object or a list; null where it is left out.
  nlohmann::json structure(const std::string& name);

  /// Must be called when all options were asked for. @throws Error (`bad-options`) that names one
  /// that was not, with the nearest known option
  void require_all_known() const;

private:
  const nlohmann::json* find(const std::string& name);
  template <class T>
  std::optional<T> value(const std::string& name, bool (nlohmann::json::*is_one)() const noexcept,
                         const char* wanted);
  /// @throws Error (`bad-options`) for another type, and for what the option does not take
  void visit(const Option& option, OptionKind kind, bool path, const std::string& default_text,
             Set set) override;
  std::optional<Given> given(const Option& option, OptionKind kind);
  std::uint64_t whole_number(const Option& option, std::int64_t number) const;
  std::map<std::string, std::string> table(const Option& option);

  nlohmann::json values_;
  std::set<std::string> known_;
};

/// Parses JSON of a caller. @throws Error (`bad-options`)
nlohmann::json parse_json(std::string_view text, const std::string& what);

} // namespace model_validator
