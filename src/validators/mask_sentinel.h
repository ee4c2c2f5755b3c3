#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Constants far beyond what is ever computed, added before a softmax.
class MaskSentinel final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
