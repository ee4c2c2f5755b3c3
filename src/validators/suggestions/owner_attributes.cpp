#include "validators/suggestions/owner_attributes.h"

namespace model_validator {

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::map<std::string, std::string> owner_attributes(const Module& module) {
  std::map<std::string, std::string> attributes;
  const auto add = [&](const std::string& path) {
    const std::size_t dot = path.rfind('.');
    attributes.try_emplace(dot == std::string::npos ? std::string() : path.substr(0, dot),
                           last_part(path));
  };
  add(module.path);
  for (const std::string& alias : module.aliases) add(alias);
  return attributes;
}

} // namespace model_validator
