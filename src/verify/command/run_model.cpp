#include "verify/command/run_model.h"

#include "verify/run/failure.h"
#include "verify/run/module_state.h"
#include "verify/run/narrow_execution.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>
#include <model_validator/verify/interpreter.h>

#include <ATen/Context.h>
#include <ATen/Functions.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

/// A text becomes its bytes, which are compared like any numbers.
Tensor comparable(const Value& leaf) {
  const auto* text = std::get_if<std::string>(&leaf.data);
  if (text == nullptr) return as_tensor(leaf);
  return make_tensor(DType::uint8, {static_cast<std::int64_t>(text->size())}, text->data());
}

NamedTensors named_outputs(const c10::IValue& result) {
  NamedTensors outputs;
  for (const auto& [path, value] : flatten(to_value(result)))
    outputs.push_back({path.empty() ? "output" : path, comparable(value)});
  return outputs;
}

bool all_identical(const std::vector<at::Tensor>& left, const std::vector<at::Tensor>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const auto& a, const auto& b) { return identical(a, b); });
}

/// Nothing that a compiler may fold tells the two apart: shapes, types and plain numbers.
bool of_one_kind(const std::vector<c10::IValue>& left, const std::vector<c10::IValue>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const c10::IValue& a, const c10::IValue& b) {
                      if (a.isTensor() && b.isTensor())
                        return a.toTensor().scalar_type() == b.toTensor().scalar_type() &&
                               a.toTensor().sizes().equals(b.toTensor().sizes());
                      const bool plain = a.isScalar() || a.isNone() || a.isString();
                      return plain && a.tagKind() == b.tagKind() && a == b;
                    });
}

std::string sample_name(std::size_t sample, std::size_t count) {
  return count == 1 ? "" : " for sample " + std::to_string(sample);
}

class Runner {
public:
  Runner(const ModelRun& run, std::size_t samples, std::size_t steps)
      : run_(run), samples_(samples) {
    results.steps = steps;
    run_.options.keep_state = steps > 1;
    run_.options.note = [this](const std::string& note) { add_note(note); };
  }

  void run(const std::vector<c10::IValue>& sample, std::size_t index) {
    ModelFunction& compiled = compiled_for(sample);
    std::vector<std::vector<at::Tensor>> first;
    for (std::size_t step = 0; step < results.steps; ++step) {
      const auto inputs = clone_inputs(sample);
      const auto result = clone_tensors(call(compiled, inputs));
      note_changed_inputs(sample, inputs, index);
      first.push_back(tensors_of({result}));
      results.samples.push_back(named_outputs(result));
    }
    if (results.steps > 1) compiled = compile(sample); // from the start
    bool steady = true;
    for (const auto& expected : first)
      steady =
          all_identical(expected, tensors_of({call(compiled, clone_inputs(sample))})) && steady;
    if (!steady)
      results.incidents.push_back(
          {IncidentKind::not_deterministic,
           "a second run gave different results" + sample_name(index, samples_), "", false});
  }

  RunResults results;

private:
  c10::IValue call(const ModelFunction& compiled, const std::vector<c10::IValue>& inputs) const {
    if (run_.random_seed) at::manual_seed(*run_.random_seed);
    return compiled(inputs);
  }

  /// As its users run it: compiled once, for samples of one kind. What it has frozen of the first
  /// shows in the next.
  ModelFunction& compiled_for(const std::vector<c10::IValue>& sample) {
    if (!compiled_ || results.steps > 1 || !of_one_kind(compiled_with_, sample)) {
      compiled_ = compile(sample);
      compiled_with_ = sample;
    }
    return compiled_;
  }

  ModelFunction compile(const std::vector<c10::IValue>& sample) const {
    const auto backend = BackendRegistry::builtin().find(run_.backend);
    return backend->compile(run_.model->backend_input(run_.input_names), sample, run_.options);
  }

  void add_note(const std::string& note) {
    auto& notes = results.notes;
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }

  void note_changed_inputs(const std::vector<c10::IValue>& before,
                           const std::vector<c10::IValue>& after, std::size_t index) {
    const auto left = tensors_of(before), right = tensors_of(after);
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i)
      if (!identical(left[i], right[i]))
        add_once({IncidentKind::inputs_changed,
                  "input " + std::to_string(i) + " was written into" + sample_name(index, samples_),
                  "", true});
  }

  /// Every call of a sample may write.
  void add_once(Incident incident) {
    const auto same = [&](const Incident& other) { return other.message == incident.message; };
    if (std::none_of(results.incidents.begin(), results.incidents.end(), same))
      results.incidents.push_back(std::move(incident));
  }

  ModelRun run_;
  std::size_t samples_;
  ModelFunction compiled_;
  std::vector<c10::IValue> compiled_with_;
};

/// Enough to distinguish a state that is lost from one that is a step late.
constexpr std::size_t calls_of_state = 3;

std::size_t steps_of(const ModelRun& run, const std::vector<std::vector<c10::IValue>>& samples) {
  if (run.steps) return *run.steps;
  const auto& module = run.model->module;
  return module && changes_state(*module, samples) ? calls_of_state : 1;
}

} // namespace

RunResults run_model(const ModelRun& run, const std::vector<std::vector<c10::IValue>>& samples) {
  try {
    Runner runner(run, samples.size(), steps_of(run, samples));
    for (std::size_t i = 0; i < samples.size(); ++i) runner.run(samples[i], i);
    return std::move(runner.results);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {
    throw Error(ErrorKind::run_failed, "", sentence_of(failure));
  }
}

namespace {

/// By the interpreter, with a fresh state for each sample.
template <class Open>
RunResults run_interpreted(const Open& open, const std::vector<std::vector<c10::IValue>>& samples,
                           std::size_t steps) {
  RunResults results;
  results.steps = steps;
  for (const auto& sample : samples) {
    Interpreter interpreter = open();
    for (std::size_t step = 0; step < steps; ++step)
      results.samples.push_back(named_outputs(interpreter.run(clone_inputs(sample))));
  }
  return results;
}

} // namespace

RunResults run_in_float64(const torch::jit::Module& module,
                          const std::vector<std::vector<c10::IValue>>& samples, std::size_t steps) {
  return run_interpreted([&] { return Interpreter(module.deepcopy(), RunMode::float64); }, samples,
                         steps);
}

RunResults run_narrowed(const torch::jit::Module& module, const Narrowing& narrowing,
                        std::uint64_t seed, const std::vector<std::vector<c10::IValue>>& samples,
                        std::size_t steps) {
  return run_interpreted(
      [&] { return Interpreter(module.deepcopy(), narrow_execution(narrowing, seed)); }, samples,
      steps);
}

} // namespace model_validator::verify
