#include "connected_graph/torchscript/abstract_value.h"

#include <algorithm>
#include <set>

namespace model_validator::torchscript {
namespace {

constexpr int deepest_value = 64;

void collect(const Abstract& value, int depth, std::set<const AbstractValue*>& open,
             std::vector<Operand>& operands) {
  if (!value || depth > deepest_value || !open.insert(value.get()).second) return;
  for (const Source& source : value->sources) operands.push_back({source, {}, value->query});
  for (const ParameterId parameter : value->parameters) operands.push_back({{}, parameter, false});
  if (value->items)
    for (const Abstract& item : value->items->values) collect(item, depth + 1, open, operands);
  if (value->fields)
    for (const auto& [name, field] : *value->fields) collect(field, depth + 1, open, operands);
  open.erase(value.get());
}

} // namespace

Abstract make_known(c10::IValue value) {
  auto result = std::make_shared<AbstractValue>();
  result->never_none = !value.isNone();
  result->known = std::move(value);
  return result;
}

Abstract make_items(std::vector<Abstract> values) {
  auto result = std::make_shared<AbstractValue>();
  result->items = std::make_shared<Items>();
  result->items->values = std::move(values);
  result->never_none = true;
  return result;
}

std::optional<bool> is_none(const AbstractValue& value) {
  if (value.known) return value.known->isNone();
  if (value.never_none || value.object || value.items || value.fields) return false;
  return std::nullopt;
}

std::optional<bool> as_bool(const AbstractValue& value) {
  if (value.known && value.known->isBool()) return value.known->toBool();
  return std::nullopt;
}

std::optional<std::int64_t> as_int(const AbstractValue& value) {
  if (value.known && value.known->isInt()) return value.known->toInt();
  return std::nullopt;
}

std::vector<Operand> operands_of(const Abstract& value) {
  std::vector<Operand> operands;
  std::set<const AbstractValue*> open;
  collect(value, 0, open, operands);
  return operands;
}

bool only_queries(const std::vector<Operand>& operands) {
  return !operands.empty() &&
         std::all_of(operands.begin(), operands.end(), [](const Operand& o) { return o.query; });
}

} // namespace model_validator::torchscript
