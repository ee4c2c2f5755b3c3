#pragma once

#include <model_validator/error_kind.h>

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::rules {

/// Target profiles with their tables are the largest files.
inline constexpr std::uint64_t max_toml_size = 16U << 20U;

/// Parses a TOML file. @throws Error (`not-found`, or `kind` with file, line and reason)
/// @param largest  bytes that the file may have
toml::table parse_toml(const std::filesystem::path& file, ErrorKind kind,
                       std::uint64_t largest = max_toml_size);

/// One table of a TOML file, read strictly: wrong types and unknown keys are errors that name file,
/// line and reason.
class TableReader {
public:
  /// @param kind  of the errors thrown
  /// @param where what the table is called in messages: `[target]`
  TableReader(const toml::table& table, std::filesystem::path file, ErrorKind kind,
              std::string where)
      : table_(table), file_(std::move(file)), kind_(kind), where_(std::move(where)) {}

  const toml::table& table() const noexcept { return table_; }

  /// @throws Error for a key that is not among `known`, with the nearest of them as hint
  void expect_only(const std::vector<std::string>& known) const;

  std::string text(std::string_view key, std::string fallback = {}) const;
  std::string required_text(std::string_view key) const;
  bool flag(std::string_view key, bool fallback = false) const;
  /// A whole number of at most 32 bits.
  std::optional<int> integer(std::string_view key) const;
  int integer_of(const toml::node& node, const std::string& what) const;
  std::optional<double> number(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;
  /// A table inside; nothing where the key is absent.
  std::optional<TableReader> child(std::string_view key) const;
  /// An array of tables (`[[key]]`); empty where the key is absent.
  std::vector<TableReader> children(std::string_view key) const;

  [[noreturn]] void fail(const toml::node& node, const std::string& reason,
                         std::string hint = {}) const;

private:
  template <class T> std::optional<T> value(std::string_view key, const char* expected) const;

  const toml::table& table_;
  std::filesystem::path file_;
  ErrorKind kind_;
  std::string where_;
};

} // namespace model_validator::rules
