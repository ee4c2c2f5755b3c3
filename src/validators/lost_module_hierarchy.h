#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Files without a module hierarchy.
class LostModuleHierarchy final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
