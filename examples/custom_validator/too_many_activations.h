#pragma once

#include <model_validator/validator.h>

/// A check that no other program has: our chip keeps tables for a few kinds of activation at most.
class TooManyActivations final : public model_validator::Validator {
public:
  const model_validator::RuleInfo& info() const override;
  void run(const model_validator::ConnectedGraph& graph, const model_validator::Context& context,
           model_validator::Diagnostics& diagnostics) const override;
};
