#include "rules/constraint_reader.h"
#include "rules/file_rules_reader.h"
#include "rules/module_tables.h"
#include "rules/profile_extension.h"
#include "rules/quantiser_reader.h"
#include "rules/toml_reader.h"

#include <model_validator/half_rules.h>
#include <model_validator/target_profile.h>

namespace model_validator {
namespace {

using rules::TableReader;

constexpr ErrorKind bad_profile = ErrorKind::bad_profile;

void read_target(const TableReader& reader, TargetProfile& profile) {
  reader.expect_only({"name", "description", "package", "date", "made_by", "url", "refusal",
                      "notes", "counterparts"});
  profile.name = reader.required_text("name");
  profile.description = reader.text("description");
  profile.package = reader.text("package");
  profile.date = reader.text("date");
  profile.made_by = reader.text("made_by");
  profile.url = reader.text("url");
  profile.refusal = reader.text("refusal");
  profile.notes = reader.texts("notes");
  profile.counterpart_names = reader.texts("counterparts");
}

void read_judged(const TableReader& reader, TargetProfile& profile) {
  reader.expect_only({"opset", "smallest_opset", "largest_opset", "overloads", "inplace_distinct",
                      "functionalised", "falls_back", "frozen", "default_arguments",
                      "cast_to_float32", "dtypes", "symmetric", "symmetric_reason",
                      "others_unknown"});
  const auto opset = [&reader](std::string_view key, int fallback) {
    return reader.integer(key).value_or(fallback);
  };
  profile.opset = opset("opset", 0);
  profile.opsets = {opset("smallest_opset", profile.opset), opset("largest_opset", profile.opset)};
  profile.overloads = reader.flag("overloads");
  profile.inplace_distinct = reader.flag("inplace_distinct");
  profile.functionalised = reader.flag("functionalised");
  profile.falls_back = reader.flag("falls_back");
  profile.frozen = reader.flag("frozen");
  profile.default_arguments = reader.text("default_arguments");
  profile.symmetric = reader.texts("symmetric");
  profile.symmetric_reason = reader.text("symmetric_reason");
  profile.file.cast_to_float32 = reader.texts("cast_to_float32");
  profile.file.dtypes = reader.texts("dtypes");
  profile.file.others_unknown = reader.flag("others_unknown");
}

void read_operators(const TableReader& file, TargetProfile& profile) {
  const std::optional<TableReader> operators = file.child("operators");
  if (!operators) return;
  for (const auto& [name, node] : operators->table()) {
    profile.operators[std::string(name.str())].since_opset =
        operators->integer_of(node, "`" + std::string(name.str()) +
                                        "` in [operators], the first opset that has it or 0,");
  }
}

void read_constraints(const TableReader& file, TargetProfile& profile) {
  for (const TableReader& reader : file.children("constraints")) {
    const OperatorConstraint constraint = rules::read_constraint(reader);
    for (const std::string& name : reader.texts("operators")) {
      const auto rule = profile.operators.find(name);
      if (rule == profile.operators.end())
        reader.fail(reader.table(), "constraint on `" + name + "`, which is not in [operators]");
      rule->second.constraints.push_back(constraint);
    }
  }
}

void read_removed(const TableReader& file, TargetProfile& profile) {
  if (const std::optional<TableReader> removed = file.child("removed_by_passes")) {
    removed->expect_only({"operators"});
    const std::vector<std::string> names = removed->texts("operators");
    profile.removed_by_passes.insert(names.begin(), names.end());
  }
}

void read_decomposed(const TableReader& file, TargetProfile& profile) {
  if (const std::optional<TableReader> decomposed = file.child("decomposed"))
    for (const auto& [name, node] : decomposed->table())
      profile.decomposed[std::string(name.str())] = decomposed->texts(name.str());
}

Replacement read_replacement(const TableReader& reader) {
  reader.expect_only({"text", "arguments", "ranks"});
  Replacement replacement;
  replacement.text = reader.required_text("text");
  replacement.ranks = rules::whole_numbers(reader, "ranks");
  if (const std::optional<TableReader> arguments = reader.child("arguments"))
    for (const auto& [argument, value] : arguments->table())
      replacement.arguments[std::string(argument.str())] =
          rules::constraint_values(*arguments, argument.str()).at(0);
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
  half->expect_only({"largest"});
  auto half_rules = std::make_shared<HalfRules>();
  half_rules->largest = half->number("largest").value_or(0);
  for (const TableReader& reader : file.children("half_breaks")) {
    reader.expect_only({"operators", "argument", "is", "meets", "reason", "remedy"});
    HalfBreak each;
    each.operators = reader.texts("operators");
    each.argument = reader.text("argument");
    for (const int value : rules::whole_numbers(reader, "is")) each.is.push_back(value);
    each.meets = reader.texts("meets");
    each.reason = reader.required_text("reason");
    each.remedy = reader.required_text("remedy");
    half_rules->breaks.push_back(std::move(each));
  }
  return half_rules;
}

} // namespace

TargetProfile load_target_profile(const std::filesystem::path& file) {
  const toml::table content = rules::parse_profile(file);
  const TableReader reader(content, file, bad_profile, "a target profile");
  reader.expect_only({"target",
                      "judged",
                      "operators",
                      "constraints",
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
                      "unknown"});
  const std::optional<TableReader> target = reader.child("target");
  if (!target) reader.fail(content, "the file has no [target], so it is not a target profile");
  TargetProfile profile;
  read_target(*target, profile);
  if (const std::optional<TableReader> judged = reader.child("judged"))
    read_judged(*judged, profile);
  read_operators(reader, profile);
  read_constraints(reader, profile);
  read_decomposed(reader, profile);
  read_replacements(reader, profile);
  read_removed(reader, profile);
  rules::read_file_rules(reader, profile.file);
  if (!profile.file.releases.empty()) profile.release = profile.file.releases.back();
  if (content.contains("op_type_map")) profile.modules = rules::read_module_tables(reader);
  profile.quantiser = rules::read_quantiser_rules(reader);
  profile.half = read_half_rules(reader);
  if (profile.operators.empty() && !profile.modules && !profile.quantiser && !profile.half)
    reader.fail(content,
                "the profile has neither [operators], [op_type_map] nor [[quantiser]] or [half]");
  return profile;
}

} // namespace model_validator
