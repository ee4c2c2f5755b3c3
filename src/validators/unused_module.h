#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Modules with weights that no path through the model calls or reads.
class UnusedModule final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
