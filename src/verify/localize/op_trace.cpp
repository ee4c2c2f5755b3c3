#include "verify/localize/op_trace.h"

#include "verify/localize/op_names.h"
#include "verify/run/failure.h"
#include "verify/run/fresh_copy.h"
#include "verify/run/narrow_execution.h"
#include "verify/run/retrace.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/verify/verify.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

c10::IValue run_watched(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs,
                        std::unique_ptr<Execution> execution, OpWatcher& watcher) {
  return Interpreter(fresh_copy(module), std::move(execution)).run(clone_inputs(inputs), &watcher);
}

/// Watches operators, and follows the calls around them.
class NamedWatcher final : public RunObserver {
public:
  NamedWatcher(OpNames& names, OpWatcher& watcher) : names_(names), watcher_(watcher) {}

  void on_enter(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) override {
    names_.contexts().enter(node, inputs);
  }
  void on_leave(const torch::jit::Node& /*node*/) override { names_.contexts().leave(); }
  void on_step(const Step& step) override { watcher_.on_step(step); }

private:
  OpNames& names_;
  OpWatcher& watcher_;
};

/// Compares a run in float64 with the one that was recorded, op by op.
class NoiseMeter {
public:
  explicit NoiseMeter(const OpTrace& trace) : trace_(trace) {}

  void operator()(const WatchedOp& op) {
    same_way = same_way && op.number < trace_.ops.size() && trace_.ops[op.number].type == op.type &&
               trace_.ops[op.number].outputs.size() == op.results.size();
    if (!same_way) return;
    double most = 0;
    for (std::size_t i = 0; i < op.results.size(); ++i)
      most =
          std::max(most, noise_between(sketch_of(op.results[i]), trace_.ops[op.number].outputs[i]));
    noise_of_ops.push_back(most);
  }

  bool same_way = true;
  std::vector<double> noise_of_ops;

private:
  const OpTrace& trace_;
};

} // namespace

bool TracedOp::real_valued() const {
  return std::any_of(outputs.begin(), outputs.end(),
                     [](const Sketch& sketch) { return sketch.real_valued; });
}

OpTrace trace_ops(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs) {
  OpTrace trace;
  const auto copy = fresh_copy(module);
  OpNames names(copy);
  const auto given = clone_inputs(inputs);
  const auto is_given = [tensors = tensors_of(given)](const at::Tensor& tensor) {
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](const at::Tensor& input) { return input.is_same(tensor); });
  };
  OpWatcher watcher([&](const WatchedOp& op) {
    TracedOp traced;
    traced.name = names.name_of(op.step.node);
    if (traced.name.empty()) traced.name = op.name;
    traced.type = op.type;
    traced.module = op.step.module_path;
    traced.source = user_location(op.step.node, op.step.callers);
    for (const auto& result : op.results) traced.outputs.push_back(sketch_of(result));
    traced.producers = op.producers;
    for (const auto& input : op.step.inputs)
      traced.reads_inputs = traced.reads_inputs || any_tensor(input, is_given);
    traced.varies = traced.reads_inputs || std::any_of(op.producers.begin(), op.producers.end(),
                                                       [&](const ResultId& producer) {
                                                         return trace.ops[producer.op].varies;
                                                       });
    trace.ops.push_back(std::move(traced));
  });
  NamedWatcher named(names, watcher);
  const auto result = Interpreter(copy).run(given, &named);
  for (const auto& tensor : flat_tensors(result)) {
    trace.outputs.push_back(sketch_of(tensor));
    trace.results.push_back(watcher.maker_of(tensor));
  }
  return trace;
}

std::optional<RoundingNoise> rounding_noise(const OpTrace& trace, const torch::jit::Module& module,
                                            const std::vector<c10::IValue>& inputs,
                                            const std::optional<Narrowing>& narrowing) {
  NoiseMeter meter(trace);
  OpWatcher watcher([&](const WatchedOp& op) { meter(op); });
  const auto outputs = flat_tensors(run_watched(
      module, inputs, narrowing ? narrow_execution(*narrowing, 0) : float64_execution(), watcher));
  if (!meter.same_way || meter.noise_of_ops.size() != trace.ops.size() ||
      outputs.size() != trace.outputs.size())
    return std::nullopt;
  RoundingNoise noise{std::move(meter.noise_of_ops), {}};
  for (std::size_t i = 0; i < outputs.size(); ++i)
    noise.outputs.push_back(noise_between(sketch_of(outputs[i]), trace.outputs[i]));
  return noise;
}

std::map<ResultId, at::Tensor> results_of(const torch::jit::Module& module,
                                          const std::vector<c10::IValue>& inputs,
                                          const std::vector<ResultId>& wanted) {
  std::map<ResultId, at::Tensor> kept;
  OpWatcher watcher([&](const WatchedOp& op) {
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      const ResultId id{op.number, i};
      if (std::find(wanted.begin(), wanted.end(), id) != wanted.end())
        kept[id] = op.results[i].clone();
    }
  });
  run_watched(module, inputs, Execution::create(RunMode::values), watcher);
  return kept;
}

} // namespace model_validator::verify
