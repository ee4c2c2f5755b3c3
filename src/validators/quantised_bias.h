#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Integer biases that do not have the scale that their layer adds them with.
class QuantisedBias final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
