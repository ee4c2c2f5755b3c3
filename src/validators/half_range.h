#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// With the target `fp16`: constants that float16 cannot express, and operators that a conversion
/// to it breaks.
class HalfRange final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
