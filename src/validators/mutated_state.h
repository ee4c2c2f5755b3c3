#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Attributes and buffers of the model that a call changes: state that few exporters and runtimes
/// keep.
class MutatedState final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
