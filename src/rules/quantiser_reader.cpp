#include "rules/quantiser_reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace model_validator::rules {
namespace {

using Cause = QuantiserFailure::Cause;

constexpr std::array<std::pair<std::string_view, Cause>, 7> causes{
    {{"quantised", Cause::quantised},
     {"shared-bias", Cause::shared_bias},
     {"below-opset", Cause::below_opset},
     {"constant-rank", Cause::constant_rank},
     {"bias-row", Cause::bias_row},
     {"declared-weight", Cause::declared_weight},
     {"all-in-subgraphs", Cause::all_in_subgraphs}}};

Cause cause_of(const TableReader& reader) {
  const std::string name = reader.required_text("cause");
  const auto* found = std::find_if(causes.begin(), causes.end(),
                                   [&](const auto& each) { return each.first == name; });
  if (found == causes.end())
    reader.fail(*reader.table().get("cause"), "`" + name + "` is no cause that is known");
  return found->second;
}

} // namespace

std::shared_ptr<const QuantiserRules> read_quantiser_rules(const TableReader& file) {
  const std::vector<TableReader> tables = file.children("quantiser");
  if (tables.empty()) return nullptr;
  auto rules = std::make_shared<QuantiserRules>();
  for (const TableReader& reader : tables) {
    reader.expect_only({"cause", "operators", "opset", "rank", "when", "reason", "remedy"});
    QuantiserFailure failure;
    failure.cause = cause_of(reader);
    failure.operators = reader.texts("operators");
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
