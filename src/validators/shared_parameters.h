#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Parameters of different modules that share one storage: tied weights.
class SharedParameters final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
