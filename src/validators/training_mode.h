#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Dropout and batch norm that were exported in training mode.
class TrainingMode final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
