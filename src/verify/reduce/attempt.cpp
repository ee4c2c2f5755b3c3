#include "verify/reduce/attempt.h"

#include "files/process/value_file.h"
#include "files/scratch_folder.h"
#include "verify/backends/backend_name.h"
#include "verify/backends/runtime_version.h"
#include "verify/command/run_model.h"
#include "verify/run/isolated.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>

#include <ATen/Parallel.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

using Ending = IsolatedOutcome::Ending;

Isolation isolation_for(const VerifyRequest& request, const AskedRuntime& runner,
                        const ScratchFolder& folder) {
  const std::string provider = provider_of_backend(runner.backend);
  const bool uses_gpu = !provider.empty() && provider != "CPUExecutionProvider";
  // The user's own command is not confined.
  const std::string sandbox = runner.backend == "command" ? "off" : request.sandbox;
  return {folder.path(), request.timeout, request.max_memory, sandbox, uses_gpu, request.stop};
}

void run_into(const std::filesystem::path& folder, const VerifyRequest& request,
              const AskedRuntime& runner, const std::filesystem::path& file,
              const NamedTensors& inputs) {
  if (request.threads != 0) at::set_num_threads(static_cast<int>(request.threads));
  const ModelFile model{file, FileFormat::onnx, std::nullopt, {}, {}, nullptr};
  ModelRun run{&model, name_of_backend(runner.backend), {}, {}, 1};
  run.options.threads = request.threads;
  run.options.command = runner.command;
  run.options.provider = provider_of_backend(runner.backend);
  run.options.optimise = runner.optimise;
  std::vector<c10::IValue> arguments;
  for (const NamedTensor& input : inputs) {
    run.input_names.push_back(input.name);
    arguments.push_back(to_ivalue(Value{input.tensor}));
  }
  write_results(folder, run_model(run, {arguments}));
}

/// Whether it says nothing of the model.
bool is_about_the_call(ErrorKind kind) {
  return kind == ErrorKind::backend_missing || kind == ErrorKind::bad_command ||
         kind == ErrorKind::unknown_backend || kind == ErrorKind::no_sandbox;
}

Attempt failure_of(const IsolatedOutcome& outcome) {
  if (outcome.ending == Ending::timed_out) return {Answer::hung, outcome.message, {}};
  if (outcome.ending == Ending::crashed) return {Answer::crashed, outcome.message, {}};
  const ErrorKind kind = outcome.kind.value_or(ErrorKind::run_failed);
  if (is_about_the_call(kind)) throw Error(kind, "", outcome.message, outcome.hint);
  const bool of_the_run = kind == ErrorKind::run_failed || kind == ErrorKind::command_failed ||
                          kind == ErrorKind::out_of_memory;
  return {of_the_run ? Answer::failed : Answer::refused, outcome.message, {}};
}

} // namespace

const char* to_string(Answer answer) {
  switch (answer) {
  case Answer::ran: return "right";
  case Answer::refused: return "refused";
  case Answer::failed: return "failed";
  case Answer::crashed: return "crashed";
  case Answer::hung: return "hung";
  case Answer::differs: return "differs";
  }
  return "";
}

Attempt try_model(const VerifyRequest& request, const AskedRuntime& runner,
                  const std::filesystem::path& file, const NamedTensors& inputs) {
  const ScratchFolder folder;
  const auto outcome = run_isolated([&] { run_into(folder.path(), request, runner, file, inputs); },
                                    isolation_for(request, runner, folder));
  if (outcome.ending != Ending::done) return failure_of(outcome);
  return {Answer::ran, "", std::move(read_results(folder.path()).samples.at(0))};
}

bool values_differ(const VerifyReport& report) {
  const auto about_values = [](const Incident& incident) {
    return incident.failure && (incident.kind == IncidentKind::values ||
                                incident.kind == IncidentKind::number_of_outputs);
  };
  return std::ranges::any_of(report.incidents, about_values) ||
         !std::ranges::all_of(report.outputs, &OutputReport::passed);
}

Attempt compare_models(const VerifyRequest& request, const std::filesystem::path& file,
                       const std::filesystem::path& candidate, const NamedTensors& inputs) {
  const ScratchFolder folder;
  VerifyRequest asked = request;
  asked.reference = file;
  asked.candidate = candidate;
  asked.inputs = {};
  if (!inputs.empty()) {
    asked.inputs.files = {folder.path() / "inputs.npz"};
    write_npz(asked.inputs.files.front(), inputs);
  }
  asked.save_golden.clear();
  asked.allow_empty = true;
  asked.progress = {};
  try {
    const VerifyReport report = run_verification(asked).report;
    if (values_differ(report)) return {Answer::differs, report.first_failure(), {}};
    return {report.passed() ? Answer::ran : Answer::failed, report.first_failure(), {}};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return {Answer::refused, error.what(), {}};
  }
}

std::string version_of(const VerifyRequest& request, const AskedRuntime& runner) {
  const ScratchFolder folder;
  const auto file = folder.path() / "version";
  constexpr std::uint64_t max_bytes = 4096;
  const auto outcome = run_isolated(
      [&] { process::write_value(file, runtime_version(name_of_backend(runner.backend))); },
      isolation_for(request, {name_of_backend(runner.backend), "", true}, folder));
  if (outcome.ending != Ending::done) return {};
  return process::read_value<std::string>(file, max_bytes, "the runtime");
}

} // namespace model_validator::verify
