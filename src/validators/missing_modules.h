#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Operations that run as functions, without a module for them.
class MissingModules final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
