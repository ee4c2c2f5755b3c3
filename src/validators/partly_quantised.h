#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Quantised operators that read a value past its quantisation.
class PartlyQuantised final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
