#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// What a quantiser that was named as a target will fail on, or silently leave as it is.
class QuantiserWillFail final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
