#include "rules/file_rules_reader.h"

#include "rules/constraint_reader.h"
#include "rules/operator_version.h"

#include <algorithm>
#include <stdexcept>

namespace model_validator::rules {
namespace {

int small(const TableReader& reader, std::string_view key) {
  return reader.integer(key).value_or(0);
}

NamedDtypes read_types(const TableReader& file) {
  NamedDtypes types;
  if (const std::optional<TableReader> table = file.child("types"))
    for (const auto& [name, node] : table->table()) {
      std::vector<std::string> dtypes = table->texts(name.str());
      std::sort(dtypes.begin(), dtypes.end());
      types[std::string(name.str())] =
          std::make_shared<const std::vector<std::string>>(std::move(dtypes));
    }
  return types;
}

void read_versions(const TableReader& file, FileRules& rules) {
  const std::optional<TableReader> table = file.child("versions");
  if (!table) return;
  const NamedDtypes types = read_types(file);
  for (const auto& [name, node] : table->table())
    for (const std::string& record : table->texts(name.str())) {
      try {
        rules.versions[std::string(name.str())].push_back(parse_operator_version(record, types));
      } catch (const std::invalid_argument& wrong) {
        table->fail(node, "`" + record + "`: " + wrong.what());
      }
    }
}

std::optional<AxisLength> read_length(const TableReader& condition) {
  const std::optional<TableReader> reader = condition.child("length");
  if (!reader) return std::nullopt;
  reader->expect_only({"axis", "at_least", "at_most", "parts"});
  return AxisLength{small(*reader, "axis"), reader->integer("at_least"), reader->integer("at_most"),
                    reader->text("parts")};
}

NodeCondition read_condition(const TableReader& reader) {
  reader.expect_only({"attribute",
                      "is",
                      "is_not",
                      "is_not_size",
                      "is_not_attribute",
                      "or_absent",
                      "input",
                      "output",
                      "dtypes",
                      "ranks",
                      "given",
                      "absent",
                      "computed",
                      "entry",
                      "worked_out",
                      "constant",
                      "unranked",
                      "length",
                      "smaller_than_input",
                      "unlike_input",
                      "from_opset",
                      "below_opset"});
  NodeCondition condition;
  condition.attribute = reader.text("attribute");
  condition.is = constraint_values(reader, "is");
  condition.is_not = constraint_values(reader, "is_not");
  condition.or_absent = reader.flag("or_absent");
  if (const std::optional<TableReader> size = reader.child("is_not_size")) {
    size->expect_only({"input", "axis"});
    condition.is_not_size = InputAxis{small(*size, "input"), small(*size, "axis")};
  }
  condition.is_not_attribute = reader.text("is_not_attribute");
  condition.input = reader.integer("input");
  condition.output = reader.integer("output");
  condition.dtypes = reader.texts("dtypes");
  condition.ranks = whole_numbers(reader, "ranks");
  condition.given = reader.flag("given");
  condition.absent = reader.flag("absent");
  condition.computed = reader.flag("computed");
  condition.entry = reader.flag("entry");
  condition.worked_out = reader.flag("worked_out");
  condition.constant = reader.flag("constant");
  condition.unranked = reader.flag("unranked");
  condition.length = read_length(reader);
  condition.smaller_than_input = reader.integer("smaller_than_input");
  condition.unlike_input = reader.integer("unlike_input");
  condition.from_opset = small(reader, "from_opset");
  condition.below_opset = small(reader, "below_opset");
  return condition;
}

/// `asked` names the question whose answer it is, for people.
void read_mishaps(const TableReader& file, std::string_view key, Mishap mishap, FileRules& rules) {
  for (const TableReader& reader : file.children(key)) {
    reader.expect_only({"operators", "when", "reason", "asked"});
    NodeRefusal refusal;
    refusal.mishap = mishap;
    refusal.reason = reader.required_text("reason");
    for (const TableReader& condition : reader.children("when"))
      refusal.when.push_back(read_condition(condition));
    if (refusal.when.empty()) reader.fail(reader.table(), "a refusal without a condition");
    for (const std::string& name : reader.texts("operators"))
      rules.refused[name].push_back(refusal);
  }
}

void read_releases(const TableReader& file, FileRules& rules) {
  for (const TableReader& reader : file.children("releases")) {
    reader.expect_only({"version", "ir_version", "opsets"});
    Release release{reader.required_text("version"), small(reader, "ir_version"), {}};
    if (const std::optional<TableReader> opsets = reader.child("opsets"))
      for (const auto& [domain, node] : opsets->table())
        release.opsets[std::string(domain.str())] = small(*opsets, domain.str());
    rules.releases.push_back(std::move(release));
  }
}

void read_sentences(const TableReader& file, FileSentences& sentences) {
  const std::optional<TableReader> reader = file.child("sentences");
  if (!reader) return;
  reader->expect_only({"ir_version", "opset", "dtype"});
  for (const auto& [key, sentence] :
       {std::pair{"ir_version", &sentences.ir_version}, std::pair{"opset", &sentences.opset},
        std::pair{"dtype", &sentences.dtype}})
    if (reader->table().contains(key)) *sentence = reader->required_text(key);
}

} // namespace

void read_file_rules(const TableReader& file, FileRules& rules) {
  read_sentences(file, rules.sentences);
  read_versions(file, rules);
  for (const auto& [key, mishap] :
       {std::pair{"refused", Mishap::refused}, std::pair{"fails", Mishap::fails},
        std::pair{"wrong", Mishap::wrong}, std::pair{"unknown", Mishap::unknown}})
    read_mishaps(file, key, mishap, rules);
  read_releases(file, rules);
}

} // namespace model_validator::rules
