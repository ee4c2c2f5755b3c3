#include "verify/command/model_runs.h"

#include "files/process/value_file.h"
#include "verify/backends/backend_name.h"
#include "verify/backends/builtin.h"
#include "verify/command/model_runners.h"
#include "verify/command/model_work.h"
#include "verify/run/device.h"

#include <model_validator/error.h>

namespace model_validator::verify {
namespace {

using Ending = IsolatedOutcome::Ending;

/// Whether it came of running a model, and not of what it was run with.
bool is_of_the_run(ErrorKind kind) {
  return kind == ErrorKind::run_failed || kind == ErrorKind::command_failed ||
         kind == ErrorKind::out_of_memory;
}

/// ONNX Runtime's provider may be one of a GPU.
bool uses_gpu(const VerifyRequest& request) {
  const std::string provider = provider_of_backend(request.backend);
  return request.device != "cpu" ||
         (!provider.empty() && provider != "CPU" && provider != "CPUExecutionProvider");
}

std::string name_of(const ComparedPair& pair, Side side) {
  return side == Side::reference ? pair.reference.path.string() : pair.candidate_name();
}

void add_failure(VerifyReport& report, IncidentKind kind, const std::string& message,
                 const std::string& hint = "") {
  report.incidents.push_back({kind, message, hint, true});
}

/// What the candidate's process computed besides results.
template <class T> T value_of_candidate(const ComparedPair& pair, RunKind kind) {
  const auto outcome = pair.runners->ask(pair, Side::candidate, {kind});
  if (outcome.ending != Ending::done) throw error_of(outcome, pair.candidate_name());
  return process::read_value<T>(value_file(pair.runners->folder(Side::candidate)), max_value_size,
                                "the run");
}

} // namespace

Isolation isolation_in(const std::filesystem::path& folder, const VerifyRequest& request) {
  return {folder,          request.timeout,   request.max_memory,
          request.sandbox, uses_gpu(request), request.stop};
}

Error error_of(const IsolatedOutcome& outcome, const std::string& path) {
  return {outcome.kind.value_or(ErrorKind::run_failed), path, outcome.message, outcome.hint};
}

void check_device(const VerifyRequest& request) {
  if (request.device == "cpu") {
    // ONNX Runtime's providers link to libraries of CUDA, which torch may have brought along.
    if (uses_gpu(request)) load_cuda_if_there();
    return;
  }
  load_device(request.device);
  const ScratchFolder folder;
  const auto outcome =
      run_isolated([&] { require_device(request.device); }, isolation_in(folder.path(), request));
  if (outcome.ending != Ending::done) throw error_of(outcome, "");
}

ModelRunners::Runner::Runner(const ComparedPair& pair, Side side)
    : process([&] {
        Isolation isolation = isolation_in(folder.path(), pair.request);
        // The user's own command is not confined.
        if (side == Side::candidate && pair.candidate_backend() == "command")
          isolation.sandbox = "off";
        if (side == Side::candidate)
          isolation.becomes_program = is_run_by_python(pair.candidate_backend());
        return isolation;
      }()),
      revision(pair.revision) {}

IsolatedOutcome ModelRunners::ask(const ComparedPair& pair, Side side, RunRequest request) {
  auto& runner = runners_.at(static_cast<std::size_t>(side));
  if (!runner || runner->revision != pair.revision) {
    runner.reset(); // before its successor, for its memory
    runner = std::make_unique<Runner>(pair, side);
  }
  request.steps = pair.steps;
  process::ByteWriter writer;
  writer(request);
  auto limit = pair.request.timeout;
  if (limit) *limit *= request.count;
  std::unique_ptr<ModelWork> opened; // in the process that is started
  const auto work = [&](const std::string& bytes) {
    if (!opened) opened = std::make_unique<ModelWork>(pair, side, runner->folder.path());
    RunRequest asked;
    process::ByteReader reader(bytes);
    reader(asked);
    opened->answer(asked);
  };
  return runner->process.ask(work, writer.bytes(), limit);
}

std::vector<RunResults> run_again(const ComparedPair& pair, Side side, RunKind kind,
                                  std::size_t count, std::uint64_t first_seed) {
  const auto outcome =
      pair.runners->ask(pair, side, {.kind = kind, .count = count, .first_seed = first_seed});
  if (outcome.ending != Ending::done) throw error_of(outcome, name_of(pair, side));
  std::vector<RunResults> results;
  for (std::size_t i = 0; i < count; ++i)
    results.push_back(read_results(results_folder(pair.runners->folder(side), i)));
  return results;
}

RunResults run_reference(const ComparedPair& pair) {
  const auto outcome = pair.runners->ask(pair, Side::reference, {RunKind::as_it_is});
  const std::string path = pair.request.reference.string();
  if (outcome.ending == Ending::failed) throw error_of(outcome, path);
  if (outcome.ending == Ending::done)
    return read_results(results_folder(pair.runners->folder(Side::reference), 0));
  throw Error(ErrorKind::reference_crashed, path,
              "the reference cannot be run: " + outcome.message);
}

std::optional<RunResults> run_candidate(const ComparedPair& pair, bool reference_is_steady,
                                        VerifyReport& report) {
  const auto outcome = pair.runners->ask(pair, Side::candidate, {RunKind::as_it_is});
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
  auto results = read_results(results_folder(pair.runners->folder(Side::candidate), 0));
  for (Incident incident : results.incidents) {
    // Many kernels of GPUs add in whatever order.
    if (incident.kind == IncidentKind::not_deterministic)
      incident.failure = reference_is_steady && !uses_gpu(pair.request);
    incident.message = "candidate: " + incident.message;
    report.incidents.push_back(std::move(incident));
  }
  report.notes.insert(report.notes.end(), results.notes.begin(), results.notes.end());
  return results;
}

namespace {

/// A format whose files say in what steps they store values.
bool has_file_in_steps(const ModelFile& model) {
  return model.format == FileFormat::litert || model.format == FileFormat::openvino_ir;
}

} // namespace

bool can_be_unrounded(const ComparedPair& pair) {
  if (!pair.narrow || pair.golden || !pair.candidate ||
      pair.candidate_backend() != pair.candidate->own_backend())
    return false;
  if (has_file_in_steps(*pair.candidate)) return pair.is_quantised();
  return pair.candidate->format == FileFormat::onnx &&
         (!pair.narrow->narrowing.computes_in_halves() ||
          pair.reference.format == FileFormat::onnx);
}

UnroundedRuns run_candidate_unrounded(const ComparedPair& pair, RunKind kind) {
  constexpr std::size_t moved_runs = 3;
  UnroundedRuns runs;
  runs.weights = value_of_candidate<UnroundedWeights>(pair, kind);
  runs.results = read_results(results_folder(pair.runners->folder(Side::candidate), 0));
  const bool is_certain = runs.weights.are_all_found && !runs.weights.is_guessed;
  if (is_certain || !runs.weights.is_complete) return runs;
  runs.moved = run_again(pair, Side::candidate, kind, moved_runs, 1); // 0 is as it is
  return runs;
}

bool has_comparable_layers(const ComparedPair& pair) {
  if (!pair.is_quantised() || !pair.candidate || pair.reference.format != FileFormat::onnx)
    return false;
  const FileFormat format = pair.candidate->format;
  return (format == FileFormat::onnx || format == FileFormat::openvino_ir) &&
         pair.candidate_backend() == pair.candidate->own_backend();
}

bool has_stepped_values(const ComparedPair& pair) {
  return can_be_unrounded(pair) && has_file_in_steps(*pair.candidate) &&
         !has_comparable_layers(pair);
}

std::vector<LostLayer> imprecise_layers(const ComparedPair& pair, bool only_lost) {
  if (pair.golden || !(has_comparable_layers(pair) || has_stepped_values(pair))) return {};
  return value_of_candidate<std::vector<LostLayer>>(pair, only_lost ? RunKind::lost_layers
                                                                    : RunKind::layers);
}

std::optional<HalfLoss> op_beyond_float16(const ComparedPair& pair) {
  const bool is_concerned = pair.narrow && pair.candidate && !pair.golden &&
                            pair.narrow->narrowing.results == Narrowing::Results::float16 &&
                            pair.candidate->format == FileFormat::onnx;
  if (!is_concerned) return std::nullopt;
  return value_of_candidate<std::optional<HalfLoss>>(pair, RunKind::overflow);
}

} // namespace model_validator::verify
