#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Weights that are NaN or infinite. Reads the weights.
class NonFiniteWeights final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
