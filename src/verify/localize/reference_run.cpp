#include "verify/localize/reference_run.h"

#include <model_validator/error.h>

#include <algorithm>
#include <string>

namespace model_validator::verify {
namespace {

class ModuleRun final : public ReferenceRun {
public:
  ModuleRun(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs,
            const std::optional<Narrowing>& narrowing)
      : module_(module), inputs_(inputs), narrowing_(narrowing) {}

  OpTrace trace() const override { return trace_ops(module_, inputs_); }
  std::optional<RoundingNoise> noise(const OpTrace& trace) const override {
    return rounding_noise(trace, module_, inputs_, narrowing_);
  }
  std::map<ResultId, at::Tensor> results_of(const std::vector<ResultId>& wanted) const override {
    return verify::results_of(module_, inputs_, wanted);
  }

private:
  torch::jit::Module module_;
  std::vector<c10::IValue> inputs_;
  std::optional<Narrowing> narrowing_;
};

class BackendRun final : public ReferenceRun {
public:
  BackendRun(ShowRun model, ShowRun moved) : model_(std::move(model)), moved_(std::move(moved)) {
    IntermediateRun run;
    run.visit = [&](const Intermediate& shown) {
      makers_[shown.name] = trace_.ops.size();
      trace_.ops.push_back(traced(shown));
    };
    for (const at::Tensor& output : shown_outputs(model_, run, "reference")) {
      trace_.outputs.push_back(sketch_of(output));
      trace_.results.push_back(maker_of(trace_.outputs.back()));
    }
  }

  OpTrace trace() const override { return trace_; }

  std::optional<RoundingNoise> noise(const OpTrace& trace) const override {
    RoundingNoise noise;
    noise.ops.resize(trace.ops.size(), 0);
    std::size_t seen = 0;
    IntermediateRun run;
    run.visit = [&](const Intermediate& shown) {
      const auto maker = makers_.find(shown.name);
      if (maker == makers_.end()) return; // a step of the rounding
      noise.ops.at(maker->second) =
          noise_between(trace.ops[maker->second].outputs[0], sketch_of(shown.tensor));
      ++seen;
    };
    const auto outputs = shown_outputs(moved_, run, "reference");
    if (seen != trace.ops.size() || outputs.size() != trace.outputs.size()) return std::nullopt;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      noise.outputs.push_back(noise_between(trace.outputs[i], sketch_of(outputs[i])));
    return noise;
  }

  std::map<ResultId, at::Tensor> results_of(const std::vector<ResultId>& wanted) const override {
    std::map<ResultId, at::Tensor> kept;
    IntermediateRun run;
    run.wanted = [&](const std::string& name) {
      return std::find(wanted.begin(), wanted.end(), id_of(name)) != wanted.end();
    };
    run.visit = [&](const Intermediate& shown) { kept[id_of(shown.name)] = shown.tensor.clone(); };
    shown_outputs(model_, run, "reference");
    return kept;
  }

private:
  ResultId id_of(const std::string& name) const { return {makers_.at(name), 0}; }

  TracedOp traced(const Intermediate& shown) const {
    TracedOp op;
    op.name = shown.node.empty() ? shown.name : shown.node;
    op.type = shown.op;
    op.outputs.push_back(sketch_of(shown.tensor));
    op.reads_inputs = op.varies = shown.reads_inputs;
    for (const std::string& input : shown.inputs)
      if (const auto maker = makers_.find(input); maker != makers_.end()) {
        op.producers.push_back({maker->second, 0});
        op.varies = op.varies || trace_.ops[maker->second].varies;
      }
    return op;
  }

  /// The last op with just this result.
  std::optional<ResultId> maker_of(const Sketch& output) const {
    for (std::size_t op = trace_.ops.size(); op-- > 0;)
      if (distance(output, trace_.ops[op].outputs[0]) == 0) return ResultId{op, 0};
    return std::nullopt;
  }

  ShowRun model_, moved_;
  OpTrace trace_;
  std::map<std::string, std::size_t> makers_; ///< ops, by the names of their results
};

} // namespace

std::vector<at::Tensor> shown_outputs(const ShowRun& model, const IntermediateRun& run,
                                      const std::string& who) {
  auto outputs = model(run);
  if (!outputs)
    throw Error(ErrorKind::cannot_localize, "",
                "the runtime of the " + who + " shows nothing of what it computes");
  return *std::move(outputs);
}

std::unique_ptr<ReferenceRun> run_of_module(const torch::jit::Module& module,
                                            const std::vector<c10::IValue>& inputs,
                                            const std::optional<Narrowing>& narrowing) {
  return std::make_unique<ModuleRun>(module, inputs, narrowing);
}

std::unique_ptr<ReferenceRun> run_of_backend(ShowRun model, ShowRun moved) {
  return std::make_unique<BackendRun>(std::move(model), std::move(moved));
}

} // namespace model_validator::verify
