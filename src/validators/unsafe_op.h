#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Operators that access files or the network, and code that runs at load.
class UnsafeOp final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
