#include "verify/command/moved_model.h"

#include "verify/compare/float_formats.h"
#include "verify/run/exact_numbers.h"

#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::verify {
namespace {

constexpr double roundings_of_inputs = 16, roundings_of_weights = 4;

class Mover {
public:
  explicit Mover(std::uint64_t seed) : random_(at::detail::createCPUGenerator(seed)) {}

  at::Tensor moved(const at::Tensor& tensor, double roundings) {
    const double epsilon = epsilon_of(to_tensor(tensor).view.dtype), step = roundings * epsilon;
    const auto sign = at::randint(0, 2, tensor.sizes(), random_, at::kDouble) * 2 - 1;
    const auto wide = tensor.to(at::kDouble);
    auto exact = (wide == wide.round()).logical_and(wide.abs() < least_inexact_whole);
    if (const auto parts = wide * exact_parts;
        epsilon <= epsilon_of(DType::float32)) // not by chance
      exact.logical_or_((parts == parts.round()).logical_and(wide.abs() < least_inexact_part));
    return at::where(exact, wide, wide * (1 + step * sign)).to(tensor.scalar_type());
  }

  void move(const at::Tensor& tensor) {
    if (!is_moved(tensor)) return;
    originals.emplace_back(tensor, tensor.clone());
    tensor.copy_(moved(tensor, roundings_of_weights));
  }

  void move(const torch::jit::Block& block) {
    for (const auto* node : block.nodes()) {
      if (node->kind() == torch::jit::prim::Constant)
        if (const auto value = torch::jit::toIValue(node->output());
            value && value->isTensor() && value->toTensor().dim() > 0)
          move(value->toTensor());
      for (const auto* inner : node->blocks()) move(*inner);
    }
  }

  static bool is_moved(const at::Tensor& tensor) {
    const auto type = tensor.scalar_type();
    return tensor.defined() && tensor.layout() == at::kStrided &&
           (type == at::kFloat || type == at::kDouble || type == at::kHalf ||
            type == at::kBFloat16);
  }

  std::vector<std::pair<at::Tensor, at::Tensor>> originals;

private:
  at::Generator random_;
};

} // namespace

void move_by_roundings(Arguments& arguments, std::uint64_t seed) {
  Mover mover(seed);
  for (auto& call : arguments)
    for (c10::IValue& argument : call)
      if (argument.isTensor() && Mover::is_moved(argument.toTensor()))
        argument = mover.moved(argument.toTensor(), roundings_of_inputs);
}

MovedModule::MovedModule(const torch::jit::Module& module, std::uint64_t seed) {
  const c10::NoGradGuard no_gradients;
  Mover mover(seed);
  for (const auto& tensor : module.parameters()) mover.move(tensor);
  for (const auto& tensor : module.buffers()) mover.move(tensor);
  for (const auto& part : module.modules())
    for (const auto& method : part.get_methods()) mover.move(*method.graph()->block());
  originals_ = std::move(mover.originals);
}

MovedModule::~MovedModule() {
  const c10::NoGradGuard no_gradients;
  for (auto& [moved, original] : originals_) moved.copy_(original);
}

} // namespace model_validator::verify
