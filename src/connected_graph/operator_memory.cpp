#include "connected_graph/operator_memory.h"

#include "connected_graph/operators.h"

namespace model_validator {

bool writes_in_place(std::string_view schema) {
  const std::string_view base = schema.substr(0, schema.find('.'));
  return base.ends_with('_') && !base.ends_with("__");
}

bool may_return_operand(std::string_view type) {
  return does(type, Does::returns_memory) && !type.ends_with("_copy"); // as the table has views
}

bool returns_view(std::string_view type) {
  return may_return_operand(type) && !does(type, Does::may_copy);
}

} // namespace model_validator
