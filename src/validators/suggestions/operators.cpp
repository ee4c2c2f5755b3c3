#include "validators/suggestions/operators.h"

#include <algorithm>
#include <cmath>

namespace model_validator {

std::string_view schema_base(std::string_view schema) { return schema.substr(0, schema.find('.')); }

std::vector<Operator> operators_of(const Op& op) {
  std::vector<Operator> operators;
  if (!op.schema.empty()) operators.push_back({op.schema, op.attributes, {}, {}});
  if (op.body) operators.insert(operators.end(), op.body->begin(), op.body->end());
  return operators;
}

std::optional<double> number_beyond(const std::vector<Attribute>& arguments, double largest) {
  const auto beyond = [&](double value) {
    return std::isfinite(value) && std::abs(value) > largest;
  };
  for (const Attribute& each : arguments) {
    if (const auto* one = std::get_if<double>(&each.value); one != nullptr && beyond(*one))
      return *one;
    if (const auto* all = std::get_if<std::vector<double>>(&each.value))
      if (const auto found = std::ranges::find_if(*all, beyond); found != all->end()) return *found;
  }
  return std::nullopt;
}

std::optional<double> number_beyond(const Op& op, double largest) {
  auto found = number_beyond(op.attributes, largest);
  if (op.body)
    for (auto each = op.body->begin(); !found && each != op.body->end(); ++each)
      found = number_beyond(each->attributes, largest);
  return found;
}

} // namespace model_validator
