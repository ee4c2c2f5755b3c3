#include "rules/file_rules_reader.h"
#include "rules/quantiser_reader.h"
#include "rules/toml_reader.h"

#include <model_validator/half_rules.h>
#include <model_validator/target_profile.h>

#include <toml++/toml.h>

#include <filesystem>

namespace model_validator {
namespace {

using rules::Member;
using rules::TableReader;

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

/// The file of a profile, with what it leaves out taken from the built-in one that its `[target]`
/// `extends`. Where both have a table, the file's entries replace those of the same key; where both
/// have an array of tables, the file's come after the others. Its
/// `[without]` names entries of tables that are gone, or whole keys (`refused = true`).
/// @throws Error (`bad-profile`)
toml::table parse_profile(const std::filesystem::path& file, int depth = deepest) {
  toml::table content = rules::parse_toml(file, bad_profile);
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

void read_target(const TableReader& reader, TargetProfile& profile) {
  reader.read({Member::required("name", profile.name),
               {"description", profile.description},
               {"package", profile.package},
               {"date", profile.date},
               {"made_by", profile.made_by},
               {"url", profile.url},
               {"refusal", profile.refusal},
               {"notes", profile.notes},
               {"counterparts", profile.counterpart_names}});
}

void read_judged(const TableReader& reader, TargetProfile& profile) {
  std::optional<int> smallest, largest;
  reader.read({{"opset", profile.opset},
               {"smallest_opset", smallest},
               {"largest_opset", largest},
               {"overloads", profile.overloads},
               {"inplace_distinct", profile.inplace_distinct},
               {"functionalised", profile.functionalised},
               {"falls_back", profile.falls_back},
               {"frozen", profile.frozen},
               {"whole_code", profile.whole_code},
               {"default_arguments", profile.default_arguments},
               {"cast_to_float32", profile.file.cast_to_float32},
               {"dtypes", profile.file.dtypes},
               {"folds_constants", profile.file.folds_constants},
               {"symmetric", profile.symmetric},
               {"symmetric_reason", profile.symmetric_reason},
               {"saturates", profile.saturates},
               {"takes_plugins", profile.takes_plugins}});
  profile.opsets = {smallest.value_or(profile.opset), largest.value_or(profile.opset)};
}

void read_operators(const TableReader& file, TargetProfile& profile) {
  const std::optional<TableReader> operators = file.child("operators");
  if (!operators) return;
  for (const auto& [name, node] : operators->table()) {
    profile.operators[std::string(name.str())] =
        operators->integer_of(node, "`" + std::string(name.str()) +
                                        "` in [operators], the first opset that has it or 0,");
  }
}

/// Of PyTorch's operators, those that are not listed are refused anyway.
void require_listed(const TableReader& file, const TargetProfile& profile) {
  for (const auto& [name, refused] : profile.file.refused)
    if (profile.file.empty() && !profile.operators.empty() && !profile.operators.contains(name) &&
        !profile.removed_by_passes.contains(name) &&
        (name.starts_with("aten::") || name.starts_with("prim::")))
      file.fail(file.table(), "a refusal of `" + name + "`, which is not in [operators]");
}

Replacement read_replacement(const TableReader& reader) {
  Replacement replacement;
  reader.read(
      {Member::required("text", replacement.text), {"arguments"}, {"ranks", replacement.ranks}});
  if (const std::optional<TableReader> arguments = reader.child("arguments"))
    for (const auto& [argument, value] : arguments->table())
      replacement.arguments[std::string(argument.str())] = arguments->values(argument.str()).at(0);
  return replacement;
}

void read_replacements(const TableReader& file, TargetProfile& profile) {
  const std::optional<TableReader> replacements = file.child("replacements");
  if (!replacements) return;
  for (const auto& [name, node] : replacements->table()) {
    Replacement& replacement = profile.replacements[std::string(name.str())];
    if (node.is_table())
      replacement = read_replacement(*replacements->child(name.str()));
    else
      replacement.text = replacements->required_text(name.str());
  }
}

/// Reads `[half]` and the `[[half_breaks]]` of a profile; null where there is none.
std::shared_ptr<const HalfRules> read_half_rules(const TableReader& file) {
  const std::optional<TableReader> half = file.child("half");
  if (!half) return nullptr;
  auto half_rules = std::make_shared<HalfRules>();
  half->read({{"largest", half_rules->largest}});
  for (const TableReader& reader : file.children("half_breaks")) {
    HalfBreak& each = half_rules->breaks.emplace_back();
    reader.read({{"operators", each.operators},
                 {"argument", each.argument},
                 {"is", each.is},
                 {"meets", each.meets},
                 Member::required("reason", each.reason),
                 Member::required("remedy", each.remedy)});
  }
  return half_rules;
}

/// The tables `[op_type_map]` and `[functional]` of a file.
ModuleTables read_module_tables(const TableReader& file) {
  ModuleTables tables;
  file.take("op_type_map", tables.op_type_map);
  if (const std::optional<TableReader> functional = file.child("functional"))
    functional->read({{"ops", tables.functional_ops}, {"passed_through", tables.passed_through}});
  if (const std::optional<TableReader> quantised = file.child("quantised"))
    quantised->read({{"classes", tables.quantised_classes}});
  return tables;
}

} // namespace

const std::string* ModuleTables::op_type_of(std::string_view class_name) const {
  auto found = op_type_map.find(class_name);
  if (found == op_type_map.end())
    found = op_type_map.find(class_name.substr(class_name.rfind('.') + 1));
  return found == op_type_map.end() ? nullptr : &found->second;
}

ModuleTables load_module_tables(const std::filesystem::path& file) {
  const toml::table content = rules::parse_toml(file, bad_profile);
  const TableReader reader(content, file, bad_profile, "module tables");
  reader.expect_only({"target", "op_type_map", "functional", "quantised"});
  if (!content.contains("op_type_map")) reader.fail(content, "the file has no [op_type_map]");
  return read_module_tables(reader);
}

TargetProfile load_target_profile(const std::filesystem::path& file) {
  const toml::table content = parse_profile(file);
  const TableReader reader(content, file, bad_profile, "a target profile");
  reader.expect_only({"target",
                      "judged",
                      "operators",
                      "removed_by_passes",
                      "decomposed",
                      "replacements",
                      "op_type_map",
                      "functional",
                      "types",
                      "versions",
                      "refused",
                      "releases",
                      "sentences",
                      "quantiser",
                      "quantises",
                      "scheme",
                      "quantised_values",
                      "quantised",
                      "half",
                      "half_breaks",
                      "fails",
                      "wrong",
                      "depends",
                      "unknown",
                      "asked",
                      "asked_models",
                      "forms"});
  const std::optional<TableReader> target = reader.child("target");
  if (!target) reader.fail(content, "the file has no [target], so it is not a target profile");
  TargetProfile profile;
  read_target(*target, profile);
  if (const std::optional<TableReader> judged = reader.child("judged"))
    read_judged(*judged, profile);
  read_operators(reader, profile);
  reader.take("decomposed", profile.decomposed);
  read_replacements(reader, profile);
  if (const std::optional<TableReader> removed = reader.child("removed_by_passes"))
    removed->read({{"operators", profile.removed_by_passes}});
  rules::read_file_rules(reader, profile.removed_by_passes, profile.file);
  require_listed(reader, profile);
  if (!profile.file.releases.empty()) profile.release = profile.file.releases.back();
  if (content.contains("op_type_map")) profile.modules = read_module_tables(reader);
  profile.quantiser = rules::read_quantiser_rules(reader);
  profile.half = read_half_rules(reader);
  if (profile.operators.empty() && !profile.modules && !profile.quantiser && !profile.half)
    reader.fail(content,
                "the profile has neither [operators], [op_type_map] nor [[quantiser]] or [half]");
  return profile;
}

} // namespace model_validator
