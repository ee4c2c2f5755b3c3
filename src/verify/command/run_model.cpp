#include "verify/command/run_model.h"

#include "text/lists.h"
#include "verify/backends/onnx_conditions.h"
#include "verify/run/failure.h"
#include "verify/run/module_state.h"
#include "verify/run/signature.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>
#include <model_validator/verify/interpreter.h>

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <array>
#include <map>

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
  return std::ranges::equal(left, right,
                            [](const auto& a, const auto& b) { return identical(a, b); });
}

/// Nothing that a compiler may fold tells the two apart: shapes, types and plain numbers.
bool of_one_kind(const std::vector<c10::IValue>& left, const std::vector<c10::IValue>& right) {
  return std::ranges::equal(left, right, [](const c10::IValue& a, const c10::IValue& b) {
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

/// `x` float32 [1, 3, 8]
std::string inputs_in_words(const ModelRun& run, const std::vector<c10::IValue>& sample) {
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < std::min(sample.size(), run.input_names.size()); ++i)
    if (sample[i].isTensor()) {
      const at::Tensor& tensor = sample[i].toTensor();
      inputs.push_back("`" + run.input_names[i] + "` " +
                       std::string(c10::getDtypeNames(tensor.scalar_type()).first) + " " +
                       to_string(Shape(tensor.sizes().vec())));
    }
  return list_in_words(inputs);
}

/// What a run op by op says, which names the op; nothing where it runs.
std::optional<Error> error_of_op(const ModelRun& run, const std::vector<c10::IValue>& sample) {
  try {
    if (run.model->module) Interpreter(run.model->module->deepcopy()).run(clone_inputs(sample));
  } catch (const Error& error) {
    return error;
  } catch (const std::exception&) { // less is known than before
  }
  return std::nullopt;
}

Error error_about(const ModelRun& run, const std::vector<c10::IValue>& sample,
                  const std::exception& failure) {
  const auto at_op = error_of_op(run, sample);
  if (at_op && !at_op->hint().empty()) return *at_op;
  const std::string inputs = inputs_in_words(run, sample);
  return {ErrorKind::run_failed, "", at_op ? at_op->what() : sentence_of(failure),
          inputs.empty() ? inputs
                         : "it is run with " + inputs +
                               ": if it takes others, give them with `--input NAME=SHAPE:DTYPE`"};
}

/// Values by which nodes of a file of ONNX decide, and which ways they went.
class ShownConditions {
public:
  explicit ShownConditions(const ModelRun& run) {
    if (!run.records_forks || run.model->format != FileFormat::onnx) return;
    conditions_ = conditions_of_onnx(*run.model->onnx);
    // Showing masks of a large file costs memory: branches alone are worth it.
    constexpr std::uintmax_t max_bytes = std::uintmax_t{64} << 20;
    if (std::filesystem::file_size(run.model->path) > max_bytes)
      std::erase_if(conditions_, [](const OnnxCondition& each) { return each.op != "If"; });
    for (const OnnxCondition& each : conditions_)
      if (!contains(names_, each.value)) names_.push_back(each.value);
  }

  const std::vector<std::string>& names() const { return names_; }
  void show_none() { names_.clear(); }

  /// Takes them from the end of what the model gave.
  void take_from(NamedTensors& outputs) {
    for (std::size_t i = names_.size(); i-- > 0; outputs.pop_back()) {
      const at::Tensor shown = to_torch(outputs.back().tensor);
      if (shown.numel() == 0) continue;
      auto& seen = seen_[names_[i]];
      const at::Tensor truths = shown.to(c10::kBool);
      seen[0] = seen[0] || truths.any().item().toBool();
      seen[1] = seen[1] || !truths.all().item().toBool();
    }
  }

  std::vector<Fork> forks() const {
    std::vector<Fork> forks;
    for (const OnnxCondition& condition : conditions_) {
      const auto found = seen_.find(condition.value);
      if (found == seen_.end()) continue;
      Fork fork{
          "`" + condition.op + "` " + condition.node, condition.op == "If", {"true", "false"}};
      std::ranges::copy(found->second, fork.taken);
      forks.push_back(std::move(fork));
    }
    return forks;
  }

private:
  std::vector<OnnxCondition> conditions_;
  std::vector<std::string> names_;
  std::map<std::string, std::array<bool, 2>> seen_;
};

class Runner {
public:
  Runner(const ModelRun& run, std::size_t samples, std::size_t steps)
      : conditions(run), run_(run), backend_(BackendRegistry::builtin().find(run.backend)),
        samples_(samples) {
    results.steps = steps;
    run_.options.shown = conditions.names();
    run_.options.keep_state = steps > 1;
    run_.options.note = [this](const std::string& note) { add_note(note); };
  }

  /// One that fails has empty results.
  void try_to_run(const std::vector<c10::IValue>& sample, std::size_t index) {
    const std::size_t before = results.samples.size();
    try {
      run(sample, index);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::run_failed && error.kind() != ErrorKind::bad_inputs) throw;
      pass_over(index, before, error.what(), error.hint());
    } catch (const std::exception& failure) {
      const Error error = error_about(run_, sample, failure);
      pass_over(index, before, error.what(), error.hint());
    }
  }

  void pass_over(std::size_t index, std::size_t before, const std::string& message,
                 const std::string& hint) {
    results.failed.push_back({index, message, hint});
    results.samples.resize(before);
    results.samples.resize(before + results.steps);
    compiled_ = {}; // nobody knows in what state it was left
  }

  void run(const std::vector<c10::IValue>& sample, std::size_t index) {
    ModelFunction& compiled = compiled_for(sample);
    std::vector<std::vector<c10::IValue>> calls{sample};
    std::vector<std::vector<at::Tensor>> first;
    for (std::size_t step = 0; step < results.steps; ++step) {
      if (step > 0)
        calls.push_back(run_.next ? run_.next(index, step, results.samples.back()) : sample);
      const auto inputs = clone_inputs(calls.back());
      const auto result = clone_tensors(call(compiled, inputs));
      note_changed_inputs(calls.back(), inputs, index);
      first.push_back(tensors_of({result}));
      results.samples.push_back(named_outputs(result));
      conditions.take_from(results.samples.back());
    }
    if (!run_.is_rerun && !was_repeated_) run_once_more(calls, first, index);
  }

  RunResults results;
  ShownConditions conditions;

private:
  /// What is random shows in one sample.
  void run_once_more(const std::vector<std::vector<c10::IValue>>& calls,
                     const std::vector<std::vector<at::Tensor>>& first, std::size_t index) {
    was_repeated_ = true;
    if (results.steps > 1 && !backend_->is_reusable()) // from the start
      compile_anew(calls.front());
    bool steady = true;
    for (std::size_t step = 0; step < results.steps; ++step)
      steady =
          all_identical(first[step], tensors_of({call(compiled_, clone_inputs(calls[step]))})) &&
          steady;
    if (!steady)
      results.incidents.push_back(
          {IncidentKind::not_deterministic,
           "a second run gave different results" + sample_name(index, samples_), "", false});
    else if (results.steps > 1)
      results.remembers = remembers(calls, first);
  }

  /// Whether a later call gives anything else than where it is the first.
  bool remembers(const std::vector<std::vector<c10::IValue>>& calls,
                 const std::vector<std::vector<at::Tensor>>& results_of) {
    constexpr std::size_t enough = 2; // a state may be a step late
    for (std::size_t step = 1; step < calls.size() && step <= enough; ++step) {
      const ModelFunction fresh = backend_->is_reusable() ? compiled_ : compile(calls[step]);
      if (!all_identical(results_of[step], tensors_of({call(fresh, clone_inputs(calls[step]))})))
        return true;
    }
    return false;
  }

  c10::IValue call(const ModelFunction& compiled, const std::vector<c10::IValue>& inputs) const {
    if (run_.random_seed) at::manual_seed(*run_.random_seed);
    return compiled(inputs);
  }

  /// As its users run it: compiled once, for samples of one kind. What it has frozen of the first
  /// shows in the next.
  ModelFunction& compiled_for(const std::vector<c10::IValue>& sample) {
    const bool serves =
        backend_->is_reusable() || (results.steps == 1 && of_one_kind(compiled_with_, sample));
    if (!compiled_ || !serves) {
      compile_anew(sample);
      compiled_with_ = sample;
    }
    return compiled_;
  }

  void compile_anew(const std::vector<c10::IValue>& sample) {
    compiled_ = {}; // before its successor, for its memory and its process
    compiled_ = compile(sample);
  }

  ModelFunction compile(const std::vector<c10::IValue>& sample) {
    const auto input = run_.model->backend_input(run_.input_names);
    try {
      return backend_->compile(input, sample, run_.options);
    } catch (const Error&) {
      if (conditions.names().empty()) throw;
    }
    // Then without what it would show besides: that is no failure of the model.
    conditions.show_none();
    run_.options.shown.clear();
    return backend_->compile(input, sample, run_.options);
  }

  void add_note(const std::string& note) {
    auto& notes = results.notes;
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
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
    if (std::ranges::none_of(results.incidents, same))
      results.incidents.push_back(std::move(incident));
  }

  ModelRun run_;
  std::shared_ptr<const Backend> backend_;
  std::size_t samples_;
  ModelFunction compiled_;
  std::vector<c10::IValue> compiled_with_;
  bool was_repeated_ = false;
};

/// What of the module's state a call changes.
std::optional<NamedTensors> kept_by(const ModelRun& run,
                                    const std::vector<std::vector<c10::IValue>>& samples) {
  if (run.steps == 1 || !run.model->module) return std::nullopt;
  try {
    return changed_state(*run.model->module, samples);
  } catch (const std::exception&) {
    if (!run.tolerant) throw;
    return std::nullopt; // its failure shows again
  }
}

/// Runs the samples once more, op by op. It is no failure of the model where that is impossible.
std::vector<Fork> forks_of(const ModelRun& run,
                           const std::vector<std::vector<c10::IValue>>& samples,
                           const RunResults& results) {
  const auto& module = run.model->module;
  std::vector<Fork> forks;
  if (!module || !has_forks(*module)) return forks;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (std::ranges::find(results.failed, i, &FailedSample::sample) != results.failed.end())
      continue;
    auto used = module->deepcopy();
    for (std::size_t step = 0; step < results.steps; ++step) {
      const bool first = step == 0 || !run.next;
      const auto inputs =
          first ? samples[i] : run.next(i, step, results.samples.at(i * results.steps + step - 1));
      try {
        add_forks(forks, forks_met(used, inputs));
      } catch (const std::exception&) {
        break;
      }
    }
  }
  return forks;
}

} // namespace

RunResults run_model(const ModelRun& run, const std::vector<std::vector<c10::IValue>>& samples,
                     const std::vector<FailedSample>& failed) {
  std::size_t i = 0;
  try {
    auto kept = kept_by(run, samples);
    Runner runner(run, samples.size(), run.steps.value_or(kept ? calls_of_state(*run.model) : 1));
    if (kept) runner.results.kept = *std::move(kept);
    for (; i < samples.size(); ++i) {
      const auto known = std::ranges::find(failed, i, &FailedSample::sample);
      if (known != failed.end())
        runner.pass_over(i, runner.results.samples.size(), known->message, known->hint);
      else if (run.tolerant)
        runner.try_to_run(samples[i], i);
      else
        runner.run(samples[i], i);
    }
    if (run.records_forks)
      runner.results.forks =
          run.model->module ? forks_of(run, samples, runner.results) : runner.conditions.forks();
    return std::move(runner.results);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {
    if (i == samples.size()) throw Error(ErrorKind::run_failed, "", sentence_of(failure));
    throw error_about(run, samples[i], failure);
  }
}

RunResults interpret(const torch::jit::Module& module, const MakeExecution& execution,
                     const std::vector<std::vector<c10::IValue>>& samples, std::size_t steps,
                     const NextCall& next) {
  RunResults results;
  results.steps = steps;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Interpreter interpreter(module.deepcopy(), execution());
    for (std::size_t step = 0; step < steps; ++step) {
      const auto inputs = step > 0 && next ? next(i, step, results.samples.back()) : samples[i];
      results.samples.push_back(named_outputs(interpreter.run(clone_inputs(inputs))));
    }
  }
  return results;
}

} // namespace model_validator::verify
