#pragma once

#include <model_validator/verify/backend.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::verify {

/// A backend whose models run with the same inputs whatever they are called with: a candidate's own
/// in place of the reference's.
class FixedInputs final : public Backend {
public:
  FixedInputs(std::shared_ptr<const Backend> backend, std::vector<c10::IValue> inputs)
      : backend_(std::move(backend)), inputs_(std::move(inputs)) {}

  std::string name() const override { return backend_->name(); }
  std::string summary() const override { return backend_->summary(); }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    return [function = backend_->compile(input, inputs_, options),
            inputs = inputs_](const std::vector<c10::IValue>&) { return function(inputs); };
  }
  std::optional<std::vector<at::Tensor>>
  run_intermediates(const BackendInput& input, const std::vector<c10::IValue>&,
                    const BackendOptions& options, const IntermediateRun& run) const override {
    return backend_->run_intermediates(input, inputs_, options, run);
  }

private:
  std::shared_ptr<const Backend> backend_;
  std::vector<c10::IValue> inputs_;
};

} // namespace model_validator::verify
