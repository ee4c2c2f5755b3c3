#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Files of a format that newer programs translate when they read it.
class OldFormat final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
