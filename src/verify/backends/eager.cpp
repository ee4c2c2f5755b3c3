#include "verify/backends/builtin.h"
#include "verify/run/visit_tensors.h"

#include <c10/core/GradMode.h>

namespace model_validator::verify {
namespace {

class Eager final : public Backend {
public:
  std::string name() const override { return "eager"; }
  std::string summary() const override {
    return "the TorchScript module as it is, run by LibTorch";
  }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions&) const override {
    return [module = module_of(input, name())](std::vector<c10::IValue> inputs) {
      const c10::NoGradGuard no_gradients;
      // A model that sets attributes of its own starts each run as it was saved.
      return module.copy().forward(std::move(inputs));
    };
  }
  bool visit_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                           const BackendOptions&, const IntermediateVisitor& visit) const override {
    visit_tensors(module_of(input, name()).copy(), inputs, visit);
    return true;
  }
};

} // namespace

std::shared_ptr<const Backend> eager_backend() { return std::make_shared<Eager>(); }

} // namespace model_validator::verify
