#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Batch norms that cannot be folded into a neighbour.
class UnfoldableBatchNorm final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
