#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Modules that one run of the model calls more than once.
class ReusedModules final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
