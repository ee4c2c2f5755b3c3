#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Large tensors that are constants instead of parameters or buffers.
class LargeConstant final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
