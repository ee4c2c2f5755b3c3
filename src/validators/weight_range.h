#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Layers whose weights lose much when eight bits hold them. Reads the weights.
class WeightRangeRule final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
