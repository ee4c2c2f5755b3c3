#include "rules/quantiser_reader.h"

#include "rules/constraint_reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace model_validator::rules {
namespace {

using Cause = QuantiserFailure::Cause;

constexpr std::array<std::pair<std::string_view, Cause>, 10> causes{
    {{"quantised", Cause::quantised},
     {"shared-bias", Cause::shared_bias},
     {"below-opset", Cause::below_opset},
     {"constant-rank", Cause::constant_rank},
     {"bias-row", Cause::bias_row},
     {"declared-weight", Cause::declared_weight},
     {"all-in-subgraphs", Cause::all_in_subgraphs},
     {"integer-operand", Cause::integer_operand},
     {"integer-and-number", Cause::integer_and_number},
     {"reused-module", Cause::reused_module}}};

Cause cause_of(const TableReader& reader) {
  const std::string name = reader.required_text("cause");
  const auto* found = std::find_if(causes.begin(), causes.end(),
                                   [&](const auto& each) { return each.first == name; });
  if (found == causes.end())
    reader.fail(*reader.table().get("cause"), "`" + name + "` is no cause that is known");
  return found->second;
}

QuantisedOperators read_operators_of(const TableReader& reader) {
  reader.expect_only({"operators",   "operands",    "all_operands", "bias",        "needs",
                      "or_constant", "removed",     "into",         "claims",      "claimed_once",
                      "one_dtype",   "only",        "largest",      "since_opset", "classes",
                      "joins",       "joins_alone", "read_by",      "needs_all",   "same_shape"});
  QuantisedOperators row;
  row.operators = reader.texts("operators");
  row.operands = whole_numbers(reader, "operands");
  row.all_operands = reader.flag("all_operands");
  row.bias = reader.integer("bias");
  row.needs = whole_numbers(reader, "needs");
  row.or_constant = reader.flag("or_constant");
  row.removed = reader.flag("removed");
  row.into = reader.texts("into");
  row.claims = whole_numbers(reader, "claims");
  row.claimed_once = reader.flag("claimed_once");
  row.one_dtype = reader.flag("one_dtype");
  row.largest = reader.number("largest");
  row.since_opset = reader.integer("since_opset").value_or(0);
  row.classes = reader.texts("classes");
  row.joins = reader.texts("joins");
  row.joins_alone = reader.flag("joins_alone");
  row.read_by = reader.texts("read_by");
  row.needs_all = reader.flag("needs_all");
  row.same_shape = reader.flag("same_shape");
  if (const std::optional<TableReader> only = reader.child("only"))
    for (const auto& [name, node] : only->table())
      row.only[std::string(name.str())] = only->integer_of(node, "a value in `only`");
  return row;
}

QuantisationScheme read_scheme(const TableReader& reader) {
  reader.expect_only({"name", "bits", "per_channel", "grouped", "weights_only", "everything",
                      "operators", "except", "group_divides"});
  QuantisationScheme scheme;
  scheme.name = reader.required_text("name");
  scheme.bits = reader.integer("bits").value_or(8);
  scheme.per_channel = reader.flag("per_channel");
  scheme.grouped = reader.flag("grouped");
  scheme.weights_only = reader.flag("weights_only");
  scheme.everything = reader.flag("everything");
  scheme.operators = reader.texts("operators");
  scheme.except = reader.texts("except");
  scheme.group_divides = reader.flag("group_divides");
  return scheme;
}

} // namespace

std::shared_ptr<const QuantiserRules> read_quantiser_rules(const TableReader& file) {
  const std::vector<TableReader> tables = file.children("quantiser");
  if (tables.empty()) return nullptr;
  auto rules = std::make_shared<QuantiserRules>();
  for (const TableReader& reader : file.children("quantises"))
    rules->operators.push_back(read_operators_of(reader));
  for (const TableReader& reader : file.children("scheme"))
    rules->schemes.push_back(read_scheme(reader));
  if (const std::optional<TableReader> values = file.child("quantised_values")) {
    values->expect_only({"dtypes", "asks_maker"});
    rules->dtypes = values->texts("dtypes");
    rules->asks_maker = values->flag("asks_maker");
  }
  for (const TableReader& reader : tables) {
    reader.expect_only(
        {"cause", "operators", "after", "past", "opset", "rank", "when", "reason", "remedy"});
    QuantiserFailure failure;
    failure.cause = cause_of(reader);
    failure.operators = reader.texts("operators");
    failure.after = reader.texts("after");
    failure.past = reader.texts("past");
    failure.opset = reader.integer("opset").value_or(0);
    failure.rank = reader.integer("rank").value_or(0);
    failure.when = reader.text("when");
    failure.reason = reader.required_text("reason");
    failure.remedy = reader.required_text("remedy");
    rules->failures.push_back(std::move(failure));
  }
  return rules;
}

} // namespace model_validator::rules
