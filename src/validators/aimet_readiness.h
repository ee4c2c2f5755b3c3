#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// With the target `aimet`: what folding of batch norms, cross-layer equalisation and
/// QuantizationSimModel will do with the model.
class AimetReadiness final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
