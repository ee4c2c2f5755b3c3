#include "verify/localize/reference_run.h"

#include "connected_graph/torchscript/builder.h"
#include "connected_graph/torchscript/file/large_stack.h"
#include "verify/run/failure.h"
#include "verify/run/fresh_copy.h"
#include "verify/run/narrow_execution.h"
#include "verify/run/op_name.h"
#include "verify/run/retrace.h"
#include "verify/run/tensor_tree.h"
#include "verify/trace/run_contexts.h"

#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <algorithm>
#include <set>
#include <string>

namespace model_validator::verify {
namespace {

/// Watches operators, and follows the calls around them to find each in the model's graph.
class NamedWatcher final : public RunObserver {
public:
  /// @param module  the one that is run: the same code in another module's objects is not
  /// recognised
  NamedWatcher(const torch::jit::Module& module, OpWatcher::Visit visit)
      : watcher_(std::move(visit)), contexts_(map_) {
    torchscript::with_large_stack([&] {
      const ConnectedGraph graph = torchscript::build_graph(module, {}, &map_);
      for (OpId id = 0; id < graph.op_count(); ++id) names_.push_back(graph.op(id).name);
    });
  }

  NamedWatcher(const NamedWatcher&) = delete; // `contexts_` refers to `map_`
  NamedWatcher& operator=(const NamedWatcher&) = delete;

  void on_enter(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) override {
    contexts_.enter(node, inputs);
  }
  void on_leave(const torch::jit::Node& /*node*/) override { contexts_.leave(); }
  void on_step(const Step& step) override { watcher_.on_step(step); }

  /// As `model_validator graph` shows the op that it is, or is a part of.
  std::string name_of(const WatchedOp& op) const {
    if (std::string own = op_name_of(op.step.node); !own.empty()) return own;
    const auto& records = contexts_.records(op.step.node);
    const std::string& known = records.empty() ? op.name : names_.at(records.front().op);
    return known.empty() ? op.name : known;
  }
  std::optional<ResultId> maker_of(const at::Tensor& tensor) const {
    return watcher_.maker_of(tensor);
  }

private:
  OpWatcher watcher_;
  torchscript::NodeMap map_;
  std::vector<std::string> names_; ///< by op
  RunContexts contexts_;
};

class ModuleRun final : public ReferenceRun {
public:
  ModuleRun(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs,
            const std::optional<Narrowing>& narrowing)
      : module_(module), inputs_(inputs), narrowing_(narrowing) {}

  /// A tensor is freed as soon as nothing needs it.
  OpTrace trace() const override {
    OpTrace trace;
    const auto copy = fresh_copy(module_);
    const auto given = clone_inputs(inputs_);
    const auto is_given = [tensors = tensors_of(given)](const at::Tensor& tensor) {
      return std::ranges::any_of(tensors,
                                 [&](const at::Tensor& input) { return input.is_same(tensor); });
    };
    NamedWatcher watcher(copy, [&](const WatchedOp& op) {
      TracedOp traced{watcher.name_of(op),
                      op.type,
                      op.step.module_path,
                      user_location(op.step.node, op.step.callers),
                      {},
                      op.producers};
      for (const auto& result : op.results) traced.outputs.push_back(sketch_of(result));
      traced.reads_inputs = std::ranges::any_of(
          op.step.inputs, [&](const c10::IValue& input) { return any_tensor(input, is_given); });
      traced.varies =
          traced.reads_inputs || std::ranges::any_of(op.producers, [&](const ResultId& producer) {
            return trace.ops[producer.op].varies;
          });
      trace.ops.push_back(std::move(traced));
    });
    for (const auto& tensor : flat_tensors(Interpreter(copy).run(given, &watcher))) {
      trace.outputs.push_back(sketch_of(tensor));
      trace.results.push_back(watcher.maker_of(tensor));
    }
    return trace;
  }

  std::optional<RoundingNoise> noise(const OpTrace& trace) const override {
    RoundingNoise noise;
    bool same_way = true;
    const auto compare = [&](const WatchedOp& op) {
      same_way = same_way && op.number < trace.ops.size() && trace.ops[op.number].type == op.type &&
                 trace.ops[op.number].outputs.size() == op.results.size();
      if (!same_way) return;
      double most = 0;
      for (std::size_t i = 0; i < op.results.size(); ++i)
        most = std::max(most,
                        noise_between(sketch_of(op.results[i]), trace.ops[op.number].outputs[i]));
      noise.ops.push_back(most);
    };
    const auto outputs =
        run_again(narrowing_ ? narrow_execution(*narrowing_, 0) : float64_execution(), compare);
    if (!same_way || noise.ops.size() != trace.ops.size() || outputs.size() != trace.outputs.size())
      return std::nullopt;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      noise.outputs.push_back(noise_between(sketch_of(outputs[i]), trace.outputs[i]));
    return noise;
  }

  std::map<ResultId, at::Tensor> results_of(const std::vector<ResultId>& wanted) const override {
    std::map<ResultId, at::Tensor> kept;
    run_again(std::make_unique<Execution>(), [&](const WatchedOp& op) {
      for (std::size_t i = 0; i < op.results.size(); ++i)
        if (const ResultId id{op.number, i}; std::ranges::find(wanted, id) != wanted.end())
          kept[id] = op.results[i].clone();
    });
    return kept;
  }

private:
  /// @returns the tensors of its result
  std::vector<at::Tensor> run_again(std::unique_ptr<Execution> execution,
                                    OpWatcher::Visit visit) const {
    OpWatcher watcher(std::move(visit));
    Interpreter interpreter(fresh_copy(module_), std::move(execution));
    return flat_tensors(interpreter.run(clone_inputs(inputs_), &watcher));
  }

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
      keep(shown.tensor);
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
    std::map<ResultId, at::Tensor> found;
    std::set<ResultId> missing;
    for (const ResultId& id : wanted)
      if (const auto kept = kept_.find(id); kept != kept_.end())
        found.insert(*kept);
      else
        missing.insert(id);
    if (missing.empty()) return found;
    IntermediateRun run;
    run.needs_outputs = false;
    run.wanted = [&](const std::string& name) {
      return makers_.contains(name) && missing.contains(id_of(name));
    };
    run.visit = [&](const Intermediate& shown) { found[id_of(shown.name)] = shown.tensor.clone(); };
    shown_outputs(model_, run, "reference");
    return found;
  }

private:
  /// Of a small model all results, so that it need not run again.
  void keep(const at::Tensor& result) {
    kept_bytes_ += result.nbytes();
    if (kept_bytes_ <= max_kept_bytes) kept_[{trace_.ops.size(), 0}] = result.clone();
  }

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

  static constexpr std::size_t max_kept_bytes = 64 << 20;

  ShowRun model_, moved_;
  OpTrace trace_;
  std::map<ResultId, at::Tensor> kept_;
  std::size_t kept_bytes_ = 0;
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
