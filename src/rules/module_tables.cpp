#include "rules/module_tables.h"

namespace model_validator {
namespace rules {

ModuleTables read_module_tables(const TableReader& file) {
  ModuleTables tables;
  if (const std::optional<TableReader> map = file.child("op_type_map"))
    for (const auto& [name, node] : map->table())
      tables.op_type_map[std::string(name.str())] = map->required_text(name.str());
  if (const std::optional<TableReader> functional = file.child("functional")) {
    functional->expect_only({"ops", "passed_through"});
    const std::vector<std::string> ops = functional->texts("ops");
    const std::vector<std::string> passed = functional->texts("passed_through");
    tables.functional_ops.insert(ops.begin(), ops.end());
    tables.passed_through.insert(passed.begin(), passed.end());
  }
  if (const std::optional<TableReader> quantised = file.child("quantised")) {
    quantised->expect_only({"classes"});
    const std::vector<std::string> classes = quantised->texts("classes");
    tables.quantised_classes.insert(classes.begin(), classes.end());
  }
  return tables;
}

} // namespace rules

const std::string* ModuleTables::op_type_of(std::string_view class_name) const {
  auto found = op_type_map.find(class_name);
  if (found == op_type_map.end())
    found = op_type_map.find(class_name.substr(class_name.rfind('.') + 1));
  return found == op_type_map.end() ? nullptr : &found->second;
}

ModuleTables load_module_tables(const std::filesystem::path& file) {
  const toml::table content = rules::parse_toml(file, ErrorKind::bad_profile);
  const rules::TableReader reader(content, file, ErrorKind::bad_profile, "module tables");
  reader.expect_only({"target", "op_type_map", "functional", "quantised"});
  if (!content.contains("op_type_map")) reader.fail(content, "the file has no [op_type_map]");
  return rules::read_module_tables(reader);
}

} // namespace model_validator
