#include "rules/quantiser_reader.h"

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

Cause cause_of(const std::string& name, const TableReader& reader) {
  const auto* found =
      std::ranges::find_if(causes, [&](const auto& each) { return each.first == name; });
  if (found == causes.end())
    reader.fail(*reader.table().get("cause"), "`" + name + "` is no cause that is known");
  return found->second;
}

QuantisedOperators read_operators_of(const TableReader& reader) {
  QuantisedOperators row;
  reader.read({{"operators", row.operators},
               {"operands", row.operands},
               {"all_operands", row.all_operands},
               {"bias", row.bias},
               {"needs", row.needs},
               {"or_constant", row.or_constant},
               {"removed", row.removed},
               {"into", row.into},
               {"claims", row.claims},
               {"claimed_once", row.claimed_once},
               {"one_dtype", row.one_dtype},
               {"only"},
               {"largest", row.largest},
               {"since_opset", row.since_opset},
               {"classes", row.classes},
               {"joins", row.joins},
               {"joins_alone", row.joins_alone},
               {"read_by", row.read_by},
               {"needs_all", row.needs_all},
               {"same_shape", row.same_shape}});
  if (const std::optional<TableReader> only = reader.child("only"))
    for (const auto& [name, node] : only->table())
      row.only[std::string(name.str())] = only->integer_of(node, "a value in `only`");
  return row;
}

QuantisationScheme read_scheme(const TableReader& reader) {
  QuantisationScheme scheme;
  reader.read({Member::required("name", scheme.name),
               {"bits", scheme.bits},
               {"per_channel", scheme.per_channel},
               {"grouped", scheme.grouped},
               {"weights_only", scheme.weights_only},
               {"everything", scheme.everything},
               {"operators", scheme.operators},
               {"except", scheme.except},
               {"group_divides", scheme.group_divides}});
  return scheme;
}

QuantiserFailure read_failure(const TableReader& reader) {
  QuantiserFailure failure;
  std::string cause;
  reader.read({Member::required("cause", cause),
               {"operators", failure.operators},
               {"after", failure.after},
               {"past", failure.past},
               {"opset", failure.opset},
               {"rank", failure.rank},
               {"when", failure.when},
               Member::required("reason", failure.reason),
               Member::required("remedy", failure.remedy)});
  failure.cause = cause_of(cause, reader);
  return failure;
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
  if (const std::optional<TableReader> values = file.child("quantised_values"))
    values->read({{"dtypes", rules->dtypes}, {"asks_maker", rules->asks_maker}});
  for (const TableReader& reader : tables) rules->failures.push_back(read_failure(reader));
  return rules;
}

} // namespace model_validator::rules
