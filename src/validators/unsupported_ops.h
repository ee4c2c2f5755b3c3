#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Operators that a target's converter does not take. Silent without a target.
class UnsupportedOps final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
