#include "validators/suggestions/operators.h"

namespace model_validator {

std::string_view schema_base(std::string_view schema) { return schema.substr(0, schema.find('.')); }

std::vector<Operator> operators_of(const Op& op) {
  std::vector<Operator> operators;
  if (!op.schema.empty()) operators.push_back({op.schema, op.attributes, {}, {}});
  if (op.body) operators.insert(operators.end(), op.body->begin(), op.body->end());
  return operators;
}

} // namespace model_validator
