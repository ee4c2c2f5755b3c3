#include "rules/judging/operator_name.h"

namespace model_validator::rules {

std::string OperatorName::qualified() const { return space.empty() ? base : space + "::" + base; }

std::string OperatorName::with_overload() const {
  return overload.empty() ? qualified() : qualified() + "." + overload;
}

bool OperatorName::inplace() const {
  return base.size() > 1 && base.back() == '_' && base[base.size() - 2] != '_';
}

OperatorName OperatorName::functional() const {
  OperatorName result = *this;
  if (inplace()) result.base.pop_back();
  return result;
}

OperatorName parse_operator_name(std::string_view schema) {
  OperatorName name;
  const std::size_t colons = schema.find("::");
  if (colons == std::string_view::npos) {
    name.base = schema;
    return name;
  }
  name.space = schema.substr(0, colons);
  const std::string_view rest = schema.substr(colons + 2);
  const std::size_t dot = rest.find('.');
  name.base = rest.substr(0, dot);
  if (dot != std::string_view::npos && rest.substr(dot + 1) != "default")
    name.overload = rest.substr(dot + 1);
  return name;
}

} // namespace model_validator::rules
