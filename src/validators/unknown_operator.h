#pragma once

#include <model_validator/validator.h>

namespace model_validator {

/// Operators of ONNX's own domains that no version of ONNX has: no runtime loads the file.
class UnknownOperator final : public Validator {
public:
  const RuleInfo& info() const override;
  void run(const ConnectedGraph& graph, const Context& context,
           Diagnostics& diagnostics) const override;
};

} // namespace model_validator
