#include "rules/half_reader.h"

#include "rules/constraint_reader.h"

namespace model_validator::rules {

std::shared_ptr<const HalfRules> read_half_rules(const TableReader& file) {
  const std::optional<TableReader> half = file.child("half");
  if (!half) return nullptr;
  half->expect_only({"largest"});
  auto rules = std::make_shared<HalfRules>();
  rules->largest = half->number("largest").value_or(0);
  for (const TableReader& reader : file.children("half_breaks")) {
    reader.expect_only({"operators", "argument", "is", "meets", "reason", "remedy"});
    HalfBreak each;
    each.operators = reader.texts("operators");
    each.argument = reader.text("argument");
    for (const int value : whole_numbers(reader, "is")) each.is.push_back(value);
    each.meets = reader.texts("meets");
    each.reason = reader.required_text("reason");
    each.remedy = reader.required_text("remedy");
    rules->breaks.push_back(std::move(each));
  }
  return rules;
}

} // namespace model_validator::rules
