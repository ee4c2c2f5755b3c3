#include <model_validator/verify/verify.h>

#include <stdexcept>

namespace model_validator::verify {

std::vector<c10::IValue> clone_inputs(const std::vector<c10::IValue>& inputs) {
  c10::IValue::HashIdentityIValueMap seen; // a tensor that is given twice stays one
  std::vector<c10::IValue> clones;
  clones.reserve(inputs.size());
  for (const c10::IValue& input : inputs) clones.push_back(input.deepcopy(seen));
  return clones;
}

VerifyOutcome verify(const std::vector<c10::IValue>& inputs, const ModelFunction& framework_model,
                     const ModelFunction& compiled_model, const VerifyConfig& config) {
  VerifyOutcome outcome;
  outcome.framework_output = framework_model(clone_inputs(inputs));
  outcome.compiled_output = compiled_model(clone_inputs(inputs));
  outcome.report =
      compare(to_value(outcome.framework_output), to_value(outcome.compiled_output), config);
  return outcome;
}

VerifyOutcome verify_or_throw(const std::vector<c10::IValue>& inputs,
                              const ModelFunction& framework_model,
                              const ModelFunction& compiled_model, const VerifyConfig& config) {
  VerifyOutcome outcome = verify(inputs, framework_model, compiled_model, config);
  if (!outcome.report.passed()) throw std::runtime_error(outcome.report.first_failure());
  return outcome;
}

} // namespace model_validator::verify
