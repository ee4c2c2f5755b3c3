#include "rules/file_rules_reader.h"

#include "connected_graph/noted_use.h"
#include "rules/operator_version.h"
#include "text/lists.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>

namespace model_validator::rules {
namespace {

const std::string removed_but = "removed_by_passes_but";

NamedDtypes read_types(const TableReader& file) {
  NamedDtypes types;
  if (const std::optional<TableReader> table = file.child("types"))
    for (const auto& [name, node] : table->table()) {
      std::vector<std::string> dtypes = table->texts(name.str());
      std::ranges::sort(dtypes);
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

/// A word that no front end notes would be a condition that never holds.
void require_noted_uses(const TableReader& reader, const NodeCondition& condition) {
  if (condition.attribute != "use") return;
  for (const ConstraintValue& value : condition.is) {
    const auto* word = std::get_if<std::string>(&value);
    if (word == nullptr || !is_noted_use(*word))
      reader.fail(reader.table(), "a value of `use` that no model has" +
                                      (word == nullptr ? "" : ": `" + *word + "`"));
  }
}

NodeCondition read_condition(const TableReader& reader) {
  NodeCondition condition;
  condition.argument = reader.table().contains("argument");
  reader.read({{"attribute", condition.attribute},
               {"argument", condition.attribute},
               {"types", condition.types},
               {"below", condition.below},
               {"shorter_than", condition.shorter_than},
               {"from_end", condition.from_end},
               {"axes_left", condition.axes_left},
               {"dtypes_not", condition.dtypes_not},
               {"mixed", condition.mixed},
               {"beyond_int32", condition.beyond_int32},
               {"rank_below", condition.rank_below},
               {"rank_above", condition.rank_above},
               {"is", condition.is},
               {"is_not", condition.is_not},
               {"is_not_size"},
               {"is_not_attribute", condition.is_not_attribute},
               {"or_absent", condition.or_absent},
               {"input", condition.input},
               {"output", condition.output},
               {"dtypes", condition.dtypes},
               {"ranks", condition.ranks},
               {"given", condition.given},
               {"absent", condition.absent},
               {"left_out", condition.left_out},
               {"computed", condition.computed},
               {"entry", condition.entry},
               {"worked_out", condition.worked_out},
               {"constant", condition.constant},
               {"unranked", condition.unranked},
               {"length"},
               {"smaller_than_input", condition.smaller_than_input},
               {"unlike_input", condition.unlike_input},
               {"uneven_to_input", condition.uneven_to_input},
               {"beside_axis", condition.beside_axis},
               {"elements", condition.elements},
               {"empty", condition.empty},
               {"filled", condition.filled},
               {"free", condition.free},
               {"from_opset", condition.from_opset},
               {"below_opset", condition.below_opset}});
  if (const std::optional<TableReader> size = reader.child("is_not_size")) {
    InputAxis& axis = condition.is_not_size.emplace();
    size->read({{"input", axis.input}, {"axis", axis.axis}});
  }
  if (const std::optional<TableReader> given = reader.child("length")) {
    AxisLength& length = condition.length.emplace();
    given->read({{"axis", length.axis},
                 {"at_least", length.at_least},
                 {"at_most", length.at_most},
                 {"free", length.free},
                 {"parts", length.parts}});
  }
  require_noted_uses(reader, condition);
  if (condition.asks_value() && condition.attribute.empty() && !condition.input)
    reader.fail(reader.table(), "a condition on an argument needs its name");
  return condition;
}

/// Those that an entry lists, or all that the target's own passes remove but these.
std::vector<std::string> operators_of(const TableReader& entry, const RemovedOperators& removed) {
  if (!entry.table().contains(removed_but)) return entry.texts("operators");
  const std::vector<std::string> others = entry.texts(removed_but);
  std::vector<std::string> found;
  std::ranges::copy_if(removed, std::back_inserter(found),
                       [&](const std::string& name) { return !contains(others, name); });
  return found;
}

/// `asked` names the question whose answer it is, for people.
void read_mishaps(const TableReader& file, std::string_view key, Mishap mishap,
                  const RemovedOperators& removed, FileRules& rules) {
  for (const TableReader& reader : file.children(key)) {
    NodeRefusal refusal;
    refusal.mishap = mishap;
    reader.read({{"operators"},
                 {removed_but},
                 {"when"},
                 Member::required("reason", refusal.reason),
                 {"parts", refusal.parts},
                 {"asked"}});
    for (const TableReader& condition : reader.children("when"))
      refusal.when.push_back(read_condition(condition));
    if (reader.table().get("when") == nullptr)
      reader.fail(reader.table(), "a refusal without a condition");
    for (const std::string& name : operators_of(reader, removed))
      rules.refused[name].push_back(refusal);
  }
}

void read_forms(const TableReader& file, FileRules& rules) {
  for (const TableReader& reader : file.children("forms")) {
    FormAnswer answer;
    std::string outcome = "refused";
    reader.read({{"kinds"}, {"reason", answer.reason}, {"outcome", outcome}, {"asked"}});
    if (answer.reason.empty() != (outcome == "taken"))
      reader.fail(reader.table(), "a form has a reason unless it is taken");
    static const std::map<std::string, Mishap> outcomes = {{"refused", Mishap::refused},
                                                           {"fails", Mishap::fails},
                                                           {"wrong", Mishap::wrong},
                                                           {"depends", Mishap::depends},
                                                           {"taken", Mishap::unknown}};
    const auto found = outcomes.find(outcome);
    if (found == outcomes.end())
      reader.fail(reader.table(),
                  "the outcome of a form is refused, fails, wrong, depends or taken");
    answer.mishap = found->second;
    for (const std::string& kind : reader.texts("kinds"))
      rules.forms.insert_or_assign(kind, answer);
  }
}

void read_asked(const TableReader& file, std::string_view key, std::string_view question,
                std::map<std::string, AskedAnswer, std::less<>>& asked) {
  static const std::vector<std::string> answers = {"right",   "refused", "failed",
                                                   "crashed", "hung",    "differs"};
  for (const TableReader& reader : file.children(key)) {
    std::string about;
    AskedAnswer found;
    reader.read({Member::required(std::string(question), about),
                 Member::required("answer", found.answer),
                 {"reason", found.reason}});
    if (!contains(answers, found.answer))
      reader.fail(reader.table(), "an answer is one of " + list_in_words(answers));
    asked.insert_or_assign(about, std::move(found));
  }
}

void read_releases(const TableReader& file, FileRules& rules) {
  for (const TableReader& reader : file.children("releases")) {
    Release& release = rules.releases.emplace_back();
    reader.read({Member::required("version", release.version),
                 {"ir_version", release.ir_version},
                 {"opsets", release.opsets}});
  }
}

void read_sentences(const TableReader& file, FileSentences& sentences) {
  const std::optional<TableReader> reader = file.child("sentences");
  if (!reader) return;
  reader->expect_only({"ir_version", "opset", "dtype", "open_sizes"});
  for (const auto& [key, sentence] :
       {std::pair{"ir_version", &sentences.ir_version}, std::pair{"opset", &sentences.opset},
        std::pair{"dtype", &sentences.dtype}, std::pair{"open_sizes", &sentences.open_sizes}})
    if (reader->table().contains(key)) *sentence = reader->required_text(key);
}

} // namespace

void read_file_rules(const TableReader& file, const RemovedOperators& removed, FileRules& rules) {
  read_sentences(file, rules.sentences);
  read_versions(file, rules);
  for (const auto& [key, mishap] :
       {std::pair{"refused", Mishap::refused}, std::pair{"fails", Mishap::fails},
        std::pair{"wrong", Mishap::wrong}, std::pair{"unknown", Mishap::unknown},
        std::pair{"depends", Mishap::depends}})
    read_mishaps(file, key, mishap, removed, rules);
  read_forms(file, rules);
  read_asked(file, "asked", "node", rules.asked);
  read_asked(file, "asked_models", "model", rules.asked_models);
  read_releases(file, rules);
}

} // namespace model_validator::rules
