#include <model_validator/validator.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace model_validator {

const RuleOptions& Context::options_of(std::string_view rule) const {
  static const RuleOptions no_options;
  const auto found = options.find(rule);
  return found == options.end() ? no_options : found->second;
}

Diagnostic Diagnostics::start(std::string message) const {
  Diagnostic diagnostic;
  diagnostic.rule = rule_.name;
  diagnostic.code = rule_.code;
  diagnostic.severity = rule_.severity;
  diagnostic.message = std::move(message);
  return diagnostic;
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.fingerprint.empty()) diagnostic.fingerprint = fingerprint_of(diagnostic);
  findings_.push_back(std::move(diagnostic));
}

void Diagnostics::add(Diagnostic diagnostic, std::string help) {
  diagnostic.help = std::move(help);
  add(std::move(diagnostic));
}

void Diagnostics::add_with_change(Diagnostic diagnostic, std::string help) {
  diagnostic.fix = Fix{Applicability::unsafe, help, {}};
  add(std::move(diagnostic), std::move(help));
}

std::string fingerprint_of(const Diagnostic& diagnostic) {
  constexpr char separator = '\x1f'; // appears in no name, so that fields cannot run together
  std::string key = diagnostic.rule + separator + diagnostic.module + separator;
  key += (diagnostic.op ? diagnostic.op->type : std::string()) + separator + diagnostic.method;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(16, '0');
  auto hash = XXH64(key.data(), key.size(), 0);
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, hash >>= 4)
    *digit = digits[hash & 0xf];
  return text;
}

} // namespace model_validator
