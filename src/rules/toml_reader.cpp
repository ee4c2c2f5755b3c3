#include "rules/toml_reader.h"

#include "files/regular_file.h"
#include "text/nearest.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <type_traits>

namespace model_validator::rules {
namespace {

std::string read_text(const std::filesystem::path& file, ErrorKind kind, std::uint64_t largest) {
  FileText text = read_regular_file(file, largest);
  if (!text.why_not.empty())
    throw Error(ErrorKind::not_found, file.string(), "the file cannot be read: " + text.why_not,
                "check the path for a typo");
  if (text.bytes.empty()) throw Error(kind, file.string(), "the file is empty");
  return std::move(text.bytes);
}

/// Where a text in quotes ends that begins at `at`.
std::size_t end_of_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::size_t marks = text.substr(at, 3) == std::string(3, quote) ? 3 : 1;
  const std::string_view end = text.substr(at, marks);
  for (at += marks; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"')
      ++at;
    else if (text.substr(at, marks) == end)
      return at + marks;
  }
  return text.size();
}

/// Whether a key such as `a.b.c` has very many parts: each is a table in the one before it, and
/// such tables are freed by recursion.
bool has_deep_key(std::string_view text) {
  constexpr std::size_t max_parts = 100;
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_quotes(text, at) - 1;
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (c == '.') {
      if (++dots > max_parts) return true;
    } else if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) {
      dots = 0;
    }
  }
  return false;
}

std::string at_line(const toml::source_region& region) {
  return "line " + std::to_string(region.begin.line) + ": ";
}

ConstraintValue constraint_value(const TableReader& reader, const toml::node& node) {
  if (const toml::value<bool>* flag = node.as_boolean()) return flag->get();
  if (const toml::value<std::int64_t>* whole = node.as_integer()) return whole->get();
  if (const toml::value<double>* real = node.as_floating_point()) return real->get();
  if (const toml::value<std::string>* text = node.as_string()) {
    if (text->get() == "None") return nullptr;
    return text->get();
  }
  reader.fail(node, "a value of an argument must be a boolean, a number or a string");
}

int position(const TableReader& reader, const toml::node& node) {
  const int place = reader.integer_of(node, "a position");
  if (place < 0) reader.fail(node, "a position must be a whole number of at least 0");
  return place;
}

} // namespace

toml::table parse_toml(const std::filesystem::path& file, ErrorKind kind, std::uint64_t largest) {
  const std::string text = read_text(file, kind, largest);
  if (has_deep_key(text))
    throw Error(kind, file.string(), "a key in it has more than a hundred parts");
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw Error(kind, file.string(),
                at_line(error.source()) + "not valid TOML: " + std::string(error.description()));
  }
}

Member Member::required(std::string name, std::string& text) {
  Member member(std::move(name));
  member.set = [&text](const TableReader& reader, const std::string& at) {
    text = reader.required_text(at);
  };
  return member;
}

void TableReader::fail(const toml::node& node, const std::string& reason, std::string hint) const {
  throw Error(kind_, file_.string(), at_line(node.source()) + reason, std::move(hint));
}

void TableReader::expect_only(const std::vector<std::string>& known) const {
  for (const auto& [key, node] : table_) {
    const std::string_view name = key.str();
    if (contains(known, name)) continue;
    fail(node, "unknown key `" + std::string(name) + "` in " + where_, suggestion(name, known));
  }
}

void TableReader::read(const std::vector<Member>& members) const {
  std::vector<std::string> known;
  for (const Member& each : members) known.push_back(each.key);
  expect_only(known);
  for (const Member& each : members)
    if (each.set) each.set(*this, each.key);
}

template <class T>
std::optional<T> TableReader::value(std::string_view key, const char* expected) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (const std::optional<T> found = node->value_exact<T>()) return found;
  fail(*node, "`" + std::string(key) + "` in " + where_ + " must be " + expected);
}

std::string TableReader::text(std::string_view key) const {
  return value<std::string>(key, "a string").value_or(std::string());
}

std::string TableReader::required_text(std::string_view key) const {
  std::string found = text(key);
  if (found.empty()) fail(table_, "`" + std::string(key) + "` is missing from " + where_);
  return found;
}

bool TableReader::flag(std::string_view key) const {
  return value<bool>(key, "true or false").value_or(false);
}

std::optional<int> TableReader::integer(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  return integer_of(*node, "`" + std::string(key) + "` in " + where_);
}

int TableReader::integer_of(const toml::node& node, const std::string& what) const {
  using Limits = std::numeric_limits<int>;
  const toml::value<std::int64_t>* whole = node.as_integer();
  if (whole == nullptr) fail(node, what + " must be a whole number");
  const std::int64_t number = whole->get();
  if (number < Limits::min() || number > Limits::max())
    fail(node, what + " must be a whole number from " + std::to_string(Limits::min()) + " to " +
                   std::to_string(Limits::max()));
  return static_cast<int>(number);
}

std::optional<double> TableReader::number(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_number())
    fail(*node, "`" + std::string(key) + "` in " + where_ + " must be a number");
  return node->value<double>();
}

std::vector<std::string> TableReader::texts(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  const std::string wrong =
      "`" + std::string(key) + "` in " + where_ + " must be a list of strings";
  if (!node->is_array()) fail(*node, wrong);
  std::vector<std::string> found;
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_string()) fail(item, wrong);
    found.push_back(item.as_string()->get());
  }
  return found;
}

/// The items of a list, each read by `item_of(reader, node)`; none where the key is absent.
template <class ItemOf> auto TableReader::items(std::string_view key, ItemOf item_of) const {
  std::vector<std::invoke_result_t<ItemOf, const TableReader&, const toml::node&>> values;
  const toml::node* node = table_.get(key);
  if (node == nullptr) return values;
  if (!node->is_array()) fail(*node, "`" + std::string(key) + "` must be a list");
  for (const toml::node& item : *node->as_array()) values.push_back(item_of(*this, item));
  return values;
}

std::vector<int> TableReader::positions(std::string_view key) const { return items(key, position); }

std::vector<ConstraintValue> TableReader::values(std::string_view key) const {
  return items(key, constraint_value);
}

std::optional<TableReader> TableReader::child(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) fail(*node, "`" + std::string(key) + "` must be a table");
  return TableReader(*node->as_table(), file_, kind_, "[" + std::string(key) + "]");
}

std::vector<TableReader> TableReader::children(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  const std::string name = "[[" + std::string(key) + "]]";
  if (!node->is_array())
    fail(*node, "`" + std::string(key) + "` must be a list of tables: " + name);
  std::vector<TableReader> found;
  for (const toml::node& item : *node->as_array()) {
    if (!item.is_table())
      fail(item, "`" + std::string(key) + "` must be a list of tables: " + name);
    found.emplace_back(*item.as_table(), file_, kind_, name);
  }
  return found;
}

} // namespace model_validator::rules
