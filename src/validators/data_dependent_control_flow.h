#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Branches and loops that depend on the values of a tensor.
class DataDependentControlFlow final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
