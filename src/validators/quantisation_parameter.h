#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Scales and zero points that no runtime can compute with as they are.
class QuantisationParameter final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
