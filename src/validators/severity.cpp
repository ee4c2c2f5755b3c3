#include <model_validator/diagnostic.h>

#include <array>

namespace model_validator {
namespace {

constexpr std::array names = {"off", "info", "warning", "error"};

} // namespace

const char* to_string(Severity severity) { return names.at(static_cast<std::size_t>(severity)); }

std::optional<Severity> severity_from(const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names.at(i)) return static_cast<Severity>(i);
  return std::nullopt;
}

} // namespace model_validator
