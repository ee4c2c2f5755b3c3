#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Operations outside every module that write into their input.
class InplaceOp final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
