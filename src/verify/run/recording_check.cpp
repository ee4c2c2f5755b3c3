#include "verify/run/recording_check.h"

#include <model_validator/error.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/runtime/interpreter.h>

namespace model_validator::verify {
namespace {

/// LibTorch fills new memory with NaN only where its algorithms are to be deterministic.
class NanInNewMemory {
public:
  NanInNewMemory()
      : deterministic_(context_.deterministicAlgorithms()),
        warns_only_(context_.deterministicAlgorithmsWarnOnly()),
        fills_(context_.deterministicFillUninitializedMemory()) {
    context_.setDeterministicAlgorithms(true, true);
    context_.setDeterministicFillUninitializedMemory(true);
  }
  ~NanInNewMemory() {
    context_.setDeterministicAlgorithms(deterministic_, warns_only_);
    context_.setDeterministicFillUninitializedMemory(fills_);
  }
  NanInNewMemory(const NanInNewMemory&) = delete;
  NanInNewMemory& operator=(const NanInNewMemory&) = delete;

private:
  at::Context& context_ = at::globalContext();
  bool deterministic_, warns_only_, fills_;
};

/// The same operators on the same numbers; only the order of a sum may differ.
bool alike(const at::Tensor& run, const at::Tensor& repeated) {
  if (run.scalar_type() != repeated.scalar_type() || !run.sizes().equals(repeated.sizes()))
    return false;
  if (run.numel() == 0 || run.equal(repeated)) return true;
  if (!run.is_floating_point() && !run.is_complex()) return false;
  const auto largest = at::nan_to_num(run.abs(), 0, 0, 0).max().item<double>();
  constexpr double tolerance = 1e-3;
  return at::allclose(run, repeated, 0, tolerance * largest, true);
}

/// What the recording writes into is what the model holds.
std::shared_ptr<torch::jit::Graph> with_own_memory(torch::jit::Graph& recording) {
  auto graph = recording.copy();
  const torch::jit::AliasDb aliases(graph);
  for (auto* node : graph->nodes())
    if (node->kind() == torch::jit::prim::Constant && node->hasAttribute(torch::jit::attr::value) &&
        node->kindOf(torch::jit::attr::value) == torch::jit::AttributeKind::t &&
        aliases.hasWriters(node->output()))
      node->t_(torch::jit::attr::value, node->t(torch::jit::attr::value).clone());
  return graph;
}

at::Generator generator() { return at::detail::getDefaultCPUGenerator(); }

} // namespace

RecordingCheck::RecordingCheck() : random_state_(generator().get_state()) {}

void RecordingCheck::require_same(torch::jit::Graph& recording,
                                  const std::vector<at::Tensor>& inputs,
                                  const std::vector<at::Tensor>& results) const {
  const NanInNewMemory guard;
  generator().set_state(random_state_);
  torch::jit::Stack stack;
  for (const auto& input : inputs) stack.emplace_back(input.clone());
  torch::jit::InterpreterState(torch::jit::Code(with_own_memory(recording), "recording"))
      .run(stack);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!alike(results[i], stack.at(i).toTensor()))
      throw Error(ErrorKind::cannot_flatten, "",
                  "recorded as a flat graph, the model computes something else than it does",
                  "`--backend ts` compiles it without a recording; export the model, by "
                  "`torch.export.export` or to ONNX, to compile it elsewhere");
}

} // namespace model_validator::verify
