#include "rules/toml_reader.h"

#include "rules/nearest.h"

#include <model_validator/error.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace model_validator::rules {
namespace {

constexpr std::uintmax_t largest_file = 16U << 20U;

std::string read_text(const std::filesystem::path& file, const std::string& kind) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(file, failed);
  if (failed)
    throw Error("not-found", file.string(), "the file cannot be read: " + failed.message(),
                "check the path for a typing mistake");
  if (size > largest_file)
    throw Error(kind, file.string(), "the file is larger than any TOML file of this kind (16 MiB)");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf()))
    throw Error(size == 0 ? kind : "not-found", file.string(),
                size == 0 ? "the file is empty" : "the file cannot be read");
  return text.str();
}

std::string at_line(const toml::source_region& region) {
  return "line " + std::to_string(region.begin.line) + ": ";
}

} // namespace

toml::table parse_toml(const std::filesystem::path& file, const std::string& kind) {
  const std::string text = read_text(file, kind);
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw Error(kind, file.string(),
                at_line(error.source()) + "not valid TOML: " + std::string(error.description()));
  }
}

void TableReader::fail(const toml::node& node, const std::string& reason, std::string hint) const {
  throw Error(kind_, file_.string(), at_line(node.source()) + reason, std::move(hint));
}

void TableReader::expect_only(std::initializer_list<std::string_view> known) const {
  for (const auto& [key, node] : table_) {
    const std::string_view name = key.str();
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    fail(node, "unknown key `" + std::string(name) + "` in " + where_,
         suggestion(name, {known.begin(), known.end()}));
  }
}

template <class T>
std::optional<T> TableReader::value(std::string_view key, const char* expected) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return std::nullopt;
  if (const std::optional<T> found = node->value_exact<T>()) return found;
  fail(*node, "`" + std::string(key) + "` in " + where_ + " must be " + expected);
}

std::string TableReader::text(std::string_view key, std::string fallback) const {
  return value<std::string>(key, "a string").value_or(std::move(fallback));
}

std::string TableReader::required_text(std::string_view key) const {
  const std::optional<std::string> found = value<std::string>(key, "a string");
  if (!found || found->empty())
    fail(table_, "`" + std::string(key) + "` is missing from " + where_);
  return *found;
}

bool TableReader::flag(std::string_view key, bool fallback) const {
  return value<bool>(key, "true or false").value_or(fallback);
}

std::optional<std::int64_t> TableReader::integer(std::string_view key) const {
  return value<std::int64_t>(key, "a whole number");
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
