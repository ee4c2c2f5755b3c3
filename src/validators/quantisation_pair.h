#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Values that are quantised in one way and read in another.
class QuantisationPair final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
