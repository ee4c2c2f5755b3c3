#include "verify/command/model_process.h"

#include "files/process/value_file.h"
#include "files/scratch_folder.h"
#include "files/temporary_folder.h"
#include "verify/backends/backend_name.h"
#include "verify/backends/onnx_intermediates.h"
#include "verify/backends/onnx_moved.h"
#include "verify/backends/onnx_narrowed.h"
#include "verify/backends/onnx_session.h"
#include "verify/command/carried_state.h"
#include "verify/command/generation.h"
#include "verify/command/moved_model.h"
#include "verify/command/openvino_precision.h"
#include "verify/command/padding.h"
#include "verify/command/run_model.h"
#include "verify/localize/half_overflow.h"
#include "verify/localize/layer_errors.h"
#include "verify/localize/localize.h"
#include "verify/run/device.h"
#include "verify/run/isolated.h"
#include "verify/run/module_state.h"
#include "verify/run/narrow_execution.h"

#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/Generator.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

namespace model_validator::verify {
namespace {

using Ending = IsolatedOutcome::Ending;

/// Bytes of what a process leaves besides results of models.
constexpr std::uint64_t max_value_size = std::uint64_t{64} << 20;

/// What a run threw, or how else its process ended.
Error error_of(const IsolatedOutcome& outcome, const std::string& path) {
  return {outcome.kind.value_or(ErrorKind::run_failed), path, outcome.message, outcome.hint};
}

/// Whether it came of running a model, and not of what it was run with.
bool is_of_the_run(ErrorKind kind) {
  return kind == ErrorKind::run_failed || kind == ErrorKind::command_failed ||
         kind == ErrorKind::out_of_memory;
}

/// In a process of its own, before anything is computed there.
void limit_threads(const VerifyRequest& request) {
  if (request.threads != 0) at::set_num_threads(static_cast<int>(request.threads));
}

/// ONNX Runtime's provider may be one of a GPU.
bool uses_gpu(const VerifyRequest& request) {
  const std::string provider = provider_of_backend(request.backend);
  return request.device != "cpu" || (!provider.empty() && provider != "CPUExecutionProvider");
}

Isolation isolation_in(const ScratchFolder& folder, const VerifyRequest& request) {
  return {folder.path(),   request.timeout,   request.max_memory,
          request.sandbox, uses_gpu(request), request.stop};
}

IsolatedOutcome run_into(const Isolation& isolation, const VerifyRequest& request,
                         const std::function<RunResults()>& work) {
  return run_isolated(
      [&] {
        limit_threads(request);
        write_results(isolation.folder, work());
      },
      isolation);
}

/// @param path  of the model, for errors
RunResults results_of(const Isolation& isolation, const VerifyRequest& request,
                      const std::string& path, const std::function<RunResults()>& work) {
  const auto outcome = run_into(isolation, request, work);
  if (outcome.ending != Ending::done) throw error_of(outcome, path);
  return read_results(isolation.folder);
}

/// Computes something other than the results of a model in a process of its own.
/// @param what  the process does: `the run of the ops`
template <class Work>
auto value_of(const ComparedPair& pair, const Isolation& isolation, const std::string& what,
              const Work& work) {
  const auto file = isolation.folder / "value";
  const auto outcome = run_isolated(
      [&] {
        limit_threads(pair.request);
        process::write_value(file, work());
      },
      isolation);
  if (outcome.ending != Ending::done) throw error_of(outcome, pair.candidate_name());
  return process::read_value<decltype(work())>(file, max_value_size, what);
}

/// The user's own command is not confined.
Isolation isolation_of_candidate(const ScratchFolder& folder, const ComparedPair& pair) {
  Isolation isolation = isolation_in(folder, pair.request);
  if (pair.candidate_backend() == "command") isolation.sandbox = "off";
  return isolation;
}

/// Whether a model is run with inputs of its own, not with those of the reference.
bool has_own_inputs(const ComparedPair& pair, const ModelFile& declared) {
  return pair.candidate_inputs && &declared == &*pair.candidate;
}

const std::vector<std::string>& names_for(const ComparedPair& pair, const ModelFile& declared) {
  return has_own_inputs(pair, declared) ? pair.candidate_inputs->names : pair.input_names;
}

/// The model that declares the types of the arguments: the reference, which is read again where
/// something else runs that takes the same.
ModelFile typed_for(const ComparedPair& pair, const ModelFile& declared, const ModelFile& opened) {
  const ModelFile& reference = pair.reference;
  const bool is_opened =
      has_own_inputs(pair, declared) || opened.path == reference.path || !reference.is_module();
  return is_opened ? opened : declare_model(reference.path, reference.options);
}

const std::vector<Sample>& samples_for(const ComparedPair& pair, const ModelFile& declared) {
  return has_own_inputs(pair, declared) ? pair.candidate_inputs->samples : pair.samples;
}

/// The inputs that a model declares; an AOTInductor package has those of the reference.
const std::vector<InputNeed>& needs_for(const ComparedPair& pair, const ModelFile& declared) {
  return declared.needs.empty() ? pair.reference.needs : declared.needs;
}

/// What calls take that give back the caches that the call before returned.
NextCall continued(const ComparedPair& pair, const ModelFile& declared, const ModelFile& typed) {
  struct Going {
    Sample last;
    Wires wires;
    SampleShape shape;
    std::vector<Tensor> tokens;
  };
  const auto& needs = needs_for(pair, declared);
  return [&pair, &declared, &needs, typed, going = Going{}](std::size_t sample, std::size_t step,
                                                            const NamedTensors& outputs) mutable {
    if (step == 1)
      going = {samples_for(pair, declared).at(sample),
               wire_caches(needs, outputs, pair.request.wires),
               pair.shapes.at(sample),
               {}};
    going.tokens.push_back(pair.tokens.empty()
                               ? tokens_after(pair.reference.needs, outputs, going.tokens)
                               : pair.tokens.at(sample).at(step - 1));
    going.shape = later(going.shape, going.tokens.back());
    going.last =
        next_sample(needs, going.wires, going.shape, going.last, outputs, going.tokens.back());
    return arguments_of({going.last}, typed).front();
  };
}

/// Whether a model takes the state that the other keeps.
bool takes_state(const ComparedPair& pair, const ModelFile& declared) {
  const bool is_candidate = has_own_inputs(pair, declared);
  return pair.state_taker == (is_candidate ? StateTaker::candidate : StateTaker::reference);
}

/// Leaves what outputs the two models are compared by.
void leave_outputs(const ComparedPair& pair, const ModelFile& declared, RunResults& results) {
  blank_what_means_nothing(needs_for(pair, declared), pair.shapes, results);
  if (takes_state(pair, declared)) leave_out_state(declared.needs, pair.request.wires, results);
}

NextCall next_call(const ComparedPair& pair, const ModelFile& declared, const ModelFile& typed) {
  if (pair.generates) return continued(pair, declared, typed);
  const auto& later = has_own_inputs(pair, declared) ? pair.candidate_inputs->later : pair.later;
  if (later.empty()) return {};
  return [&, typed](std::size_t sample, std::size_t step, const NamedTensors& outputs) {
    Sample next = later.at(sample).at(step - 1);
    if (takes_state(pair, declared))
      give_back_state(declared.needs, pair.request.wires, outputs, next);
    return arguments_of({next}, typed).front();
  };
}

/// What is done to a model and to its arguments before it runs.
using Change = std::function<void(ModelFile&, Arguments&)>;

/// A model is opened in the process that runs it: opening it already runs code of its file.
ModelFile opened_to_run(const ComparedPair& pair, const ModelFile& declared) {
  ModelFile model = open_declared(declared);
  if (pair.request.training && model.module) put_into_training(*model.module);
  return model;
}

RunResults run_opened(const ComparedPair& pair, const ModelFile& declared, ModelFile model,
                      const std::string& backend, const BackendOptions& options,
                      std::optional<std::size_t> steps, const Change& change = {}) {
  const ModelFile typed = typed_for(pair, declared, model);
  std::vector<FailedSample> failed;
  Arguments arguments =
      arguments_of(samples_for(pair, declared), typed, pair.chooses_samples ? &failed : nullptr);
  if (change) change(model, arguments);
  RunResults results =
      run_model({&model, backend, options, names_for(pair, declared), steps,
                 pair.request.random_seed, pair.chooses_samples, next_call(pair, declared, typed),
                 &declared == &pair.reference && !change},
                arguments, failed);
  if (model.names_gpu && options.device == "cpu")
    results.notes.push_back("`" + model.path.filename().string() +
                            "` was made for a GPU, which its code names; the CPU was used");
  leave_outputs(pair, declared, results);
  return results;
}

RunResults open_and_run(const ComparedPair& pair, const ModelFile& declared,
                        const std::string& backend, const BackendOptions& options,
                        std::optional<std::size_t> steps, const Change& change = {}) {
  return run_opened(pair, declared, opened_to_run(pair, declared), backend, options, steps, change);
}

/// As in a process of its own: with nothing that the run before made, or drew.
void begin_anew(const std::filesystem::path& folder) {
  at::manual_seed(c10::default_rng_seed_val);
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (std::isdigit(static_cast<unsigned char>(entry.path().filename().string().front())) == 0)
      std::filesystem::remove_all(entry.path());
}

/// Runs of one model, in a process that opens it once.
/// @param run  is told the number of each
std::vector<RunResults>
several_runs(const ComparedPair& pair, const ModelFile& declared, std::size_t count,
             const std::function<RunResults(const ModelFile&, std::size_t)>& run) {
  const ScratchFolder folder;
  Isolation isolation = isolation_in(folder, pair.request);
  if (isolation.limit) *isolation.limit *= count;
  const auto folder_of = [&](std::size_t i) { return folder.path() / std::to_string(i); };
  const auto outcome = run_isolated(
      [&] {
        limit_threads(pair.request);
        const ModelFile model = opened_to_run(pair, declared);
        for (std::size_t i = 0; i < count; ++i) {
          begin_anew(folder.path());
          std::filesystem::create_directory(folder_of(i));
          write_results(folder_of(i), run(model, i));
        }
      },
      isolation);
  if (outcome.ending != Ending::done) throw error_of(outcome, declared.path.string());
  std::vector<RunResults> results;
  for (std::size_t i = 0; i < count; ++i) results.push_back(read_results(folder_of(i)));
  return results;
}

/// Runs the reference, changed in another way each time.
std::vector<RunResults>
several_changed(const ComparedPair& pair, std::size_t count,
                const std::function<void(std::size_t, ModelFile&, Arguments&)>& change) {
  return several_runs(pair, pair.reference, count, [&](const ModelFile& opened, std::size_t i) {
    // What changes a module changes constants of its code, which copies share.
    ModelFile model = i > 0 && opened.module ? opened_to_run(pair, pair.reference) : opened;
    return run_opened(pair, pair.reference, std::move(model), pair.reference.own_backend(),
                      pair.options_of_reference(), pair.steps,
                      [&](ModelFile& changed, Arguments& arguments) {
                        for (auto& inputs : arguments) inputs = clone_inputs(inputs);
                        change(i, changed, arguments);
                      });
  });
}

/// Runs one of the models, with the reference's inputs, by the interpreter.
std::vector<RunResults>
several_interpreted(const ComparedPair& pair, const ModelFile& declared, std::size_t count,
                    const std::function<std::unique_ptr<Execution>(std::size_t)>& execution) {
  if (!declared.is_module())
    throw Error(ErrorKind::not_runnable, declared.path.string(),
                "only a model that LibTorch runs can be run in another precision");
  return several_runs(pair, declared, count, [&](const ModelFile& model, std::size_t i) {
    RunResults results = interpret(
        *model.module, [&] { return execution(i); }, arguments_of(pair.samples, model),
        pair.calls(), next_call(pair, declared, model));
    leave_outputs(pair, declared, results);
    return results;
  });
}

RunResults run_in_float64(const ComparedPair& pair, const ModelFile& declared) {
  return several_interpreted(pair, declared, 1, [](std::size_t) { return float64_execution(); })
      .front();
}

/// Runs a file of ONNX, or of OpenVINO, with its inputs, op by op.
ShowRun shown_onnx(const ComparedPair& pair, const ModelFile& model,
                   const std::vector<c10::IValue>& inputs) {
  const auto backend = BackendRegistry::builtin().find(model.own_backend());
  return [backend, input = model.backend_input(pair.input_names), inputs,
          options = pair.options_of_reference()](const IntermediateRun& run) {
    return backend->run_intermediates(input, inputs, options, run);
  };
}

/// A candidate may keep state although the reference keeps none.
std::optional<std::size_t> steps_of_candidate(const ComparedPair& pair) {
  const bool as_it_needs = pair.candidate && !pair.request.steps && pair.calls() == 1;
  return as_it_needs ? std::nullopt : pair.steps;
}

/// Whether the compiled model continues from the state of the given module.
bool runs_module(const std::string& backend) { return backend == "eager" || backend == "ts"; }

/// The module with the state that it has after some calls.
torch::jit::Module after_calls(const torch::jit::Module& module, const Arguments& calls) {
  const c10::NoGradGuard no_gradients;
  auto used = module.deepcopy();
  for (const auto& inputs : calls) used.forward(clone_inputs(inputs));
  return used;
}

void add_failure(VerifyReport& report, IncidentKind kind, const std::string& message,
                 const std::string& hint = "") {
  report.incidents.push_back({kind, message, hint, true});
}

void add_incidents_and_notes(VerifyReport& report, const RunResults& results, bool must_be_steady) {
  for (auto incident : results.incidents) {
    if (incident.kind == IncidentKind::not_deterministic) incident.failure = must_be_steady;
    incident.message = "candidate: " + incident.message;
    report.incidents.push_back(std::move(incident));
  }
  report.notes.insert(report.notes.end(), results.notes.begin(), results.notes.end());
}

} // namespace

void check_device(const VerifyRequest& request) {
  if (request.device == "cpu") {
    // ONNX Runtime's providers link to libraries of CUDA, which torch may have brought along.
    if (uses_gpu(request)) load_cuda_if_there();
    return;
  }
  load_device(request.device);
  const ScratchFolder folder;
  const auto outcome =
      run_isolated([&] { require_device(request.device); }, isolation_in(folder, request));
  if (outcome.ending != Ending::done) throw error_of(outcome, "");
}

RunResults run_reference(const ComparedPair& pair) {
  const ScratchFolder folder;
  const auto& path = pair.request.reference;
  const auto outcome = run_into(isolation_in(folder, pair.request), pair.request, [&] {
    return open_and_run(pair, pair.reference, pair.reference.own_backend(),
                        pair.options_of_reference(), pair.steps);
  });
  if (outcome.ending == Ending::failed) throw error_of(outcome, path.string());
  if (outcome.ending == Ending::done) return read_results(folder.path());
  throw Error(ErrorKind::reference_crashed, path.string(),
              "the reference cannot be run: " + outcome.message);
}

std::vector<RunResults> run_reference_moved(const ComparedPair& pair, std::size_t runs) {
  return several_changed(pair, runs, [&](std::size_t seed, ModelFile& model, Arguments& arguments) {
    move_by_roundings(arguments, seed);
    if (model.module)
      move_by_roundings(*model.module, seed);
    else if (model.format == FileFormat::onnx)
      model.path = write_moved_onnx(model.path, temporary_folder(), seed); // its own
  });
}

namespace {

/// The float32 values that a file of ONNX computes, as the runtime types them; nothing runs.
std::set<std::string> float_values_of(const ModelFile& model) {
  const OnnxIntermediates values(model.path);
  std::vector<std::string> all;
  for (const OnnxValue& value : values.values()) all.push_back(value.name);
  const OnnxSessionOptions options{1, false, "", values.variant(all, {}), values.weights()};
  std::set<std::string> names;
  for (const InputPort& value : open_onnx(model.path, options).outputs)
    if (value.dtype == DType::float32) names.insert(value.name);
  return names;
}

/// A copy of the reference that rounds as the candidate does.
std::filesystem::path write_narrowed(const ComparedPair& pair, const ModelFile& model,
                                     std::uint64_t seed) {
  SteppedNames in_whole_numbers;
  if (pair.candidate && pair.candidate->format == FileFormat::onnx)
    in_whole_numbers = values_in_whole_numbers(pair.candidate->path);
  if (pair.candidate && pair.candidate->format == FileFormat::openvino_ir)
    in_whole_numbers = values_rounded_by_openvino_model(pair.candidate->path);
  return write_narrowed_onnx(model.path, temporary_folder(), pair.narrow->narrowing,
                             float_values_of(model), in_whole_numbers, seed);
}

} // namespace

std::vector<RunResults> run_reference_narrowed(const ComparedPair& pair, std::size_t runs) {
  if (pair.reference.format != FileFormat::onnx)
    return several_interpreted(pair, pair.reference, runs, [&](std::size_t seed) {
      return narrow_execution(pair.narrow->narrowing, seed);
    });
  return several_changed(pair, runs, [&](std::size_t seed, ModelFile& model, Arguments&) {
    model.path = write_narrowed(pair, model, seed);
  });
}

RunResults run_reference_with_weights_in_halves(const ComparedPair& pair) {
  ComparedPair stored = pair;
  Narrowing& narrowing = stored.narrow->narrowing;
  if (narrowing.weights == Narrowing::Weights::as_they_are)
    narrowing.weights = narrowing.results == Narrowing::Results::float16
                            ? Narrowing::Weights::float16
                            : Narrowing::Weights::bfloat16;
  narrowing.results = Narrowing::Results::as_they_are;
  return std::move(run_reference_narrowed(stored, 1).front());
}

RunResults run_candidate_in_float64(const ComparedPair& pair) {
  if (pair.candidate_inputs)
    throw Error(ErrorKind::not_runnable, pair.candidate_name(), "it takes inputs of its own");
  return run_in_float64(pair, pair.candidate_model());
}

template <class Archive> void describe(Archive& archive, WeightMisfit& misfit) {
  archive(misfit.layer, misfit.words);
}

namespace {

struct UnroundedWeights {
  std::vector<WeightMisfit> misfits;
  bool is_complete = false;
};

template <class Archive> void describe(Archive& archive, UnroundedWeights& weights) {
  archive(weights.misfits, weights.is_complete);
}

/// The model becomes a copy that rounds nothing, with the reference's weights.
UnroundedWeights unround(const ComparedPair& pair, ModelFile& model) {
  OwnWeights own(pair.reference.path);
  const bool is_onnx = pair.reference.format == FileFormat::onnx;
  const auto write = [&] {
    return write_unrounded_onnx(model.path, is_onnx ? pair.reference.path : std::filesystem::path(),
                                temporary_folder(),
                                [&](const FewBitWeight& weight) { return own.of(weight); });
  };
  UnroundedFile file = write();
  if (!own.are_all_found()) {
    own.begin_again();
    file = write();
  }
  model.path = file.path;
  return {own.misfits(), file.is_complete && own.are_all_found()};
}

/// Where the file is changed before it runs.
template <class Change>
RunResults run_changed_candidate(const ComparedPair& pair, const ScratchFolder& folder,
                                 const Change& change) {
  BackendOptions options = pair.backend_options();
  options.optimise = false;
  return results_of(isolation_in(folder, pair.request), pair.request, pair.candidate_name(), [&] {
    return open_and_run(pair, pair.candidate_model(), "onnxruntime", options, pair.steps,
                        [&](ModelFile& model, Arguments&) { change(model); });
  });
}

} // namespace

bool can_be_unrounded(const ComparedPair& pair) {
  const bool is_onnx = pair.narrow && !pair.golden && pair.candidate &&
                       pair.candidate->format == FileFormat::onnx &&
                       pair.candidate_backend() == "onnxruntime";
  return is_onnx &&
         (pair.is_quantised() || pair.narrow->narrowing.results == Narrowing::Results::as_they_are);
}

UnroundedRun run_candidate_unrounded(const ComparedPair& pair) {
  const ScratchFolder folder;
  const auto file = folder.path() / "weights";
  auto results = run_changed_candidate(
      pair, folder, [&](ModelFile& model) { process::write_value(file, unround(pair, model)); });
  auto weights = process::read_value<UnroundedWeights>(file, max_value_size, "the unrounded run");
  return {std::move(results), std::move(weights.misfits), weights.is_complete};
}

RunResults run_candidate_as_written(const ComparedPair& pair) {
  const ScratchFolder folder;
  return run_changed_candidate(pair, folder, [&](ModelFile& model) {
    if (const auto file = write_onnx_in_float(model.path, temporary_folder()); !file.empty())
      model.path = file;
  });
}

RunResults run_candidate_otherwise(const ComparedPair& pair, const std::string& backend,
                                   bool optimise) {
  const ScratchFolder folder;
  BackendOptions options = pair.backend_options();
  options.optimise = optimise;
  Isolation isolation = isolation_of_candidate(folder, pair);
  // Nobody asked for this run: it may take neither a long time nor all memory, as OpenVINO 2026.4
  // was seen to do with a small file.
  constexpr std::uint64_t enough_memory = std::uint64_t{4} << 30, times_the_file = 16;
  if (!isolation.limit) isolation.limit = std::chrono::minutes(1);
  if (!isolation.max_memory)
    isolation.max_memory =
        enough_memory + times_the_file * std::filesystem::file_size(pair.candidate_model().path);
  return results_of(isolation, pair.request, pair.candidate_name(), [&] {
    return open_and_run(pair, pair.candidate_model(), backend, options, pair.steps);
  });
}

std::optional<RunResults> run_candidate(const ComparedPair& pair, bool reference_is_steady,
                                        VerifyReport& report) {
  // Many kernels of GPUs add in whatever order.
  const bool must_be_steady = reference_is_steady && !uses_gpu(pair.request);
  const ScratchFolder folder;
  const auto outcome = run_into(isolation_of_candidate(folder, pair), pair.request, [&] {
    return open_and_run(pair, pair.candidate_model(), pair.candidate_backend(),
                        pair.backend_options(), steps_of_candidate(pair));
  });
  switch (outcome.ending) {
  case Ending::timed_out:
    add_failure(report, IncidentKind::timeout, "the candidate hangs: " + outcome.message);
    return std::nullopt;
  case Ending::crashed:
    add_failure(report, IncidentKind::crash, "the candidate crashed: " + outcome.message);
    return std::nullopt;
  case Ending::failed:
    if (!is_of_the_run(*outcome.kind)) throw error_of(outcome, pair.candidate_name());
    add_failure(report, IncidentKind::crash, "the candidate failed: " + outcome.message,
                outcome.hint);
    return std::nullopt;
  case Ending::done: break;
  }
  if (uses_gpu(pair.request) && pair.request.sandbox != "off")
    report.notes.emplace_back("the candidate's process reached the GPU's driver, which the sandbox "
                              "does not confine");
  auto results = read_results(folder.path());
  add_incidents_and_notes(report, results, must_be_steady);
  return results;
}

RunResults run_reference_in_float64(const ComparedPair& pair) {
  return run_in_float64(pair, pair.reference);
}

/// What ops of a candidate in halves are held to.
std::optional<Narrowing> narrowing_of(const ComparedPair& pair) {
  return pair.narrow ? std::optional(pair.narrow->narrowing) : std::nullopt;
}

std::unique_ptr<ReferenceRun> shown_reference(const ComparedPair& pair, const ModelFile& reference,
                                              const Arguments& before,
                                              const std::vector<c10::IValue>& inputs) {
  if (reference.is_module())
    return run_of_module(after_calls(*reference.module, before), inputs, narrowing_of(pair));
  Arguments moved_inputs{clone_inputs(inputs)};
  ModelFile moved = reference;
  if (pair.narrow) {
    moved.path = write_narrowed(pair, reference, 0);
  } else {
    move_by_roundings(moved_inputs, 0);
    moved.path = write_moved_onnx(reference.path, temporary_folder(), 0);
  }
  return run_of_backend(shown_onnx(pair, reference, inputs),
                        shown_onnx(pair, moved, moved_inputs.front()));
}

/// Whether the layers of a quantised copy can be compared one by one.
bool has_comparable_layers(const ComparedPair& pair) {
  if (!pair.is_quantised() || !pair.candidate || pair.reference.format != FileFormat::onnx)
    return false;
  const FileFormat format = pair.candidate->format;
  return (format == FileFormat::onnx || format == FileFormat::openvino_ir) &&
         pair.candidate_backend() == pair.candidate->own_backend();
}

/// What the calls of a sample take, up to one of them.
Arguments arguments_until(const ComparedPair& pair, const ModelFile& reference,
                          const CallId& call) {
  std::vector<Sample> calls;
  for (std::size_t step = 0; step < call.step; ++step)
    calls.push_back(pair.inputs_of_call(call.sample, step));
  return arguments_of(calls, reference);
}

namespace {

/// In dB: what keeps all but a thousandth of its energy is good, whatever rounding explains.
constexpr double good_layer = 30;

std::vector<LostLayer> find_lost_layers(const ComparedPair& pair) {
  const ModelFile &reference = pair.reference, &candidate = *pair.candidate;
  const auto inputs = arguments_of(pair.samples, reference).front();
  ModelFile rounded = reference;
  rounded.path = write_narrowed(pair, reference, 0);
  const auto shown = shown_onnx(pair, reference, inputs);
  std::vector<LostLayer> lost;
  for (const LayerRatio& found :
       layer_ratios(shown, shown_onnx(pair, candidate, inputs), shown_onnx(pair, rounded, inputs)))
    if (found.kept < good_layer && found.kept < found.explained - margin_of_layer)
      lost.push_back({found.layer, found.layer.starts_with(found.first) ? "" : found.first,
                      found.kept, found.explained, found.greatest});
  return lost;
}

} // namespace

template <class Archive> void describe(Archive& archive, LostLayer& layer) {
  archive(layer.name, layer.first, layer.kept, layer.explained, layer.greatest);
}

std::vector<LostLayer> lost_layers(const ComparedPair& pair) {
  if (pair.golden || !has_comparable_layers(pair)) return {};
  const ScratchFolder folder;
  return value_of(pair, isolation_in(folder, pair.request), "the run of the layers",
                  [&] { return find_lost_layers(pair); });
}

std::optional<std::string> op_beyond_float16(const ComparedPair& pair) {
  const bool is_concerned = pair.narrow && pair.candidate && !pair.golden &&
                            pair.narrow->narrowing.results == Narrowing::Results::float16 &&
                            pair.candidate->format == FileFormat::onnx;
  if (!is_concerned) return std::nullopt;
  const ScratchFolder folder;
  return value_of(pair, isolation_in(folder, pair.request), "the run of the ops", [&] {
    const auto& samples = samples_for(pair, *pair.candidate);
    const auto inputs = arguments_of(samples, *pair.candidate).front();
    return first_overflow(shown_onnx(pair, *pair.candidate, inputs));
  });
}

namespace {

/// In a process that may compute.
Divergence divergence_of(const ComparedPair& pair, const CallId& call) {
  ComparedPair compared = pair;
  const bool with_own_weights = can_be_unrounded(pair) && !has_comparable_layers(pair);
  if (with_own_weights) compared.narrow.reset();
  const auto backend = BackendRegistry::builtin().find(pair.candidate_backend());
  const ModelFile reference = open_declared(pair.reference);
  Arguments before = arguments_until(pair, reference, call);
  const auto inputs = std::move(before.back());
  before.pop_back();
  ModelFile candidate = pair.candidate ? open_declared(*pair.candidate) : reference;
  if (with_own_weights) unround(pair, candidate);
  auto compiled = candidate.backend_input(names_for(pair, pair.candidate_model()));
  const auto own_inputs =
      pair.candidate_inputs
          ? arguments_of(pair.candidate_inputs->samples, candidate).at(call.sample)
          : inputs;
  if (compiled.module && runs_module(backend->name()))
    compiled.module = after_calls(*compiled.module, before);
  if (has_comparable_layers(pair))
    return layer_errors(shown_onnx(pair, reference, inputs), shown_onnx(pair, candidate, inputs));
  const auto shown = shown_reference(compared, reference, before, inputs);
  const auto run = [&, options = pair.backend_options()](const IntermediateRun& what) {
    return backend->run_intermediates(compiled, own_inputs, options, what);
  };
  auto divergence = localize(*shown, run, inputs);
  if (with_own_weights)
    divergence.notes.emplace_back("the op was looked for with the reference's weights in place of "
                                  "those in few bits");
  return divergence;
}

} // namespace

std::string why_not_localized(const ComparedPair& pair, const CallId& call) {
  if (pair.golden)
    return "the first differing op is not looked for: only the outputs of the reference are stored";
  if (!pair.reference.is_module() && pair.reference.format != FileFormat::onnx)
    return "the first differing op is looked for only in a TorchScript, torch.export or ONNX "
           "reference";
  if (pair.candidate_inputs && call.step > 1)
    return "the first differing op is looked for only in the first call where the candidate takes "
           "other inputs than the reference";
  return {};
}

void localize_difference(const ComparedPair& pair, const CallId& call, VerifyReport& report) {
  if (std::string why = why_not_localized(pair, call); !why.empty())
    return report.notes.push_back(std::move(why));
  constexpr int runs = 20; // about so many of each model are needed
  const auto& timeout = pair.request.timeout;
  const ScratchFolder folder;
  Isolation isolation = isolation_in(folder, pair.request);
  if (timeout) isolation.limit = *timeout * runs;
  Divergence divergence;
  try {
    divergence = value_of(pair, isolation, "the search for the first differing op",
                          [&] { return divergence_of(pair, call); });
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    report.notes.push_back(std::string("the first differing op was not found: ") + error.what());
    return;
  }
  if (pair.calls() > 1)
    divergence.notes.insert(divergence.notes.begin(), "the op was looked for in step " +
                                                          std::to_string(call.step) +
                                                          ", the first that differs");
  report.ops = divergence.ops;
  report.notes.insert(report.notes.end(), divergence.notes.begin(), divergence.notes.end());
}

} // namespace model_validator::verify
