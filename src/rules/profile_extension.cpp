#include "rules/profile_extension.h"

#include "rules/toml_reader.h"

#include <model_validator/target_profile.h>

namespace model_validator::rules {
namespace {

constexpr ErrorKind bad_profile = ErrorKind::bad_profile;
constexpr int deepest = 4; ///< extensions of extensions

/// An entry of `[without]` is a list of the keys that a table loses, or stands for all of it.
void remove(const TableReader& without, toml::table& from) {
  for (const auto& [key, node] : without.table()) {
    if (node.is_boolean()) {
      from.erase(key.str());
      continue;
    }
    toml::table* table = from[key.str()].as_table();
    if (table == nullptr) without.fail(node, "`" + std::string(key.str()) + "` is not a table");
    for (const std::string& name : without.texts(key.str())) table->erase(name);
  }
}

void add(const toml::table& more, toml::table& to) {
  for (const auto& [key, node] : more) {
    toml::table* table = to[key.str()].as_table();
    toml::array* array = to[key.str()].as_array();
    if (table != nullptr && node.is_table())
      for (const auto& [inner, value] : *node.as_table()) table->insert_or_assign(inner, value);
    else if (array != nullptr && node.is_array_of_tables())
      for (const toml::node& each : *node.as_array()) array->push_back(each);
    else
      to.insert_or_assign(key.str(), node);
  }
}

toml::table parse_profile(const std::filesystem::path& file, int depth) {
  toml::table content = parse_toml(file, bad_profile);
  const std::optional<std::string> base = content["target"]["extends"].value<std::string>();
  if (!base) return content;
  const TableReader reader(content, file, bad_profile, "a target profile");
  if (base->find('/') != std::string::npos || depth == 0)
    reader.fail(content, "`extends` does not name a built-in profile: `" + *base + "`");
  toml::table whole = parse_profile(rules_folder() / (*base + ".toml"), depth - 1);
  if (const std::optional<TableReader> without = reader.child("without")) remove(*without, whole);
  content.erase("without");
  content["target"].as_table()->erase("extends");
  add(content, whole);
  return whole;
}

} // namespace

toml::table parse_profile(const std::filesystem::path& file) {
  return parse_profile(file, deepest);
}

} // namespace model_validator::rules
