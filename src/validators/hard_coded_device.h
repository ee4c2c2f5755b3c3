#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Devices written into the model.
class HardCodedDevice final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
