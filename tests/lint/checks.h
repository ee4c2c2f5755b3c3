#pragma once

#include <model_validator/registry.h>

#include <functional>
#include <memory>
#include <stdexcept>

namespace model_validator::test {

/// A check that does what a test tells it to.
class ScriptedCheck final : public Validator {
public:
  using Script = std::function<void(Diagnostics&)>;
  ScriptedCheck(RuleInfo rule, Script script) : rule_(rule), script_(std::move(script)) {}

  const RuleInfo& info() const override { return rule_; }
  void run(const ConnectedGraph&, const Context&, Diagnostics& diagnostics) const override {
    if (script_) script_(diagnostics);
  }

private:
  RuleInfo rule_;
  Script script_;
};

inline RuleInfo rule_named(std::string_view name, std::string_view code, bool on = true,
                           Severity severity = Severity::warning) {
  return {name, code, "a rule", severity, on};
}

inline Registry registry_of(std::initializer_list<RuleInfo> rules) {
  Registry registry;
  for (const RuleInfo& rule : rules) registry.add(std::make_shared<ScriptedCheck>(rule, nullptr));
  return registry;
}

} // namespace model_validator::test
