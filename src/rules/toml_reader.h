#pragma once

#include <model_validator/error_kind.h>
#include <model_validator/file_rules.h>

#include <toml++/toml.h>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
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

class TableReader;

/// A key of a table, and the variable that it sets, which stays as it is where the key is absent.
class Member {
public:
  /// A key that is read apart from the others.
  Member(std::string name) : key(std::move(name)) {}
  template <class T> Member(std::string name, T& variable);
  /// A text that may not be absent.
  static Member required(std::string name, std::string& text);

  std::string key;
  std::function<void(const TableReader& reader, const std::string& key)> set = nullptr;
};

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

  /// Sets a variable, where the key is there.
  template <class T> void take(const std::string& key, T& variable) const {
    if (table_.contains(key)) get(key, variable);
  }
  /// Sets the variables of the members. @throws Error for a key that is none of them, as for a
  /// value of the wrong type
  void read(const std::vector<Member>& members) const;

  std::string text(std::string_view key) const;
  std::string required_text(std::string_view key) const;
  bool flag(std::string_view key) const;
  /// A whole number of at most 32 bits.
  std::optional<int> integer(std::string_view key) const;
  int integer_of(const toml::node& node, const std::string& what) const;
  std::optional<double> number(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;
  /// A list of whole numbers from 0 on; empty where the key is absent.
  std::vector<int> positions(std::string_view key) const;
  /// A list of values of an argument; empty where the key is absent.
  std::vector<ConstraintValue> values(std::string_view key) const;
  /// A table inside; nothing where the key is absent.
  std::optional<TableReader> child(std::string_view key) const;
  /// An array of tables (`[[key]]`); empty where the key is absent.
  std::vector<TableReader> children(std::string_view key) const;

  [[noreturn]] void fail(const toml::node& node, const std::string& reason,
                         std::string hint = {}) const;

private:
  template <class T> std::optional<T> value(std::string_view key, const char* expected) const;
  template <class ItemOf> auto items(std::string_view key, ItemOf item_of) const;

  void get(const std::string& key, std::string& into) const { into = text(key); }
  void get(const std::string& key, bool& into) const { into = flag(key); }
  void get(const std::string& key, double& into) const { into = *number(key); }
  template <std::integral T> void get(const std::string& key, T& into) const {
    into = *integer(key);
  }
  template <class T> void get(const std::string& key, std::optional<T>& into) const {
    get(key, into.emplace());
  }
  void get(const std::string& key, std::vector<std::string>& into) const { into = texts(key); }
  void get(const std::string& key, std::set<std::string, std::less<>>& into) const {
    for (std::string& each : texts(key)) into.insert(std::move(each));
  }
  template <std::integral T> void get(const std::string& key, std::vector<T>& into) const {
    for (const int each : positions(key)) into.push_back(each);
  }
  void get(const std::string& key, std::vector<ConstraintValue>& into) const { into = values(key); }
  /// A table with keys of its own choice. Of texts, none may be empty.
  template <class T, class Less>
  void get(const std::string& key, std::map<std::string, T, Less>& into) const {
    const std::optional<TableReader> entries = child(key);
    for (const auto& [each, node] : entries->table()) {
      const std::string name(each.str());
      if constexpr (std::is_same_v<T, std::string>)
        into[name] = entries->required_text(name);
      else
        entries->get(name, into[name]);
    }
  }

  const toml::table& table_;
  std::filesystem::path file_;
  ErrorKind kind_;
  std::string where_;
};

template <class T>
Member::Member(std::string name, T& variable)
    : key(std::move(name)), set([&variable](const TableReader& reader, const std::string& at) {
        reader.take(at, variable);
      }) {}

} // namespace model_validator::rules
