#include "verify/reduce/attempt.h"

#include "files/plain_file.h"
#include "files/process/value_file.h"
#include "files/regular_file.h"
#include "files/scratch_folder.h"
#include "verify/backends/backend_name.h"
#include "verify/backends/builtin.h"
#include "verify/backends/onnx_session.h"
#include "verify/backends/python_worker.h"
#include "verify/command/results.h"
#include "verify/command/run_model.h"
#include "verify/compare/runs.h"
#include "verify/inputs/strided_copy.h"
#include "verify/reduce/asking_python.h"
#include "verify/reduce/runtimes.h"
#include "verify/run/isolated.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>
#include <model_validator/verify/same.h>

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <ostream>

namespace model_validator::verify {
namespace {

using Ending = IsolatedOutcome::Ending;

bool is_loaded_by_python(const AskedRuntime& runner) {
  return is_of_python(runner) || is_run_by_python(name_of_backend(runner.backend));
}

Isolation isolation_for(const VerifyRequest& request, const AskedRuntime& runner,
                        const std::filesystem::path& folder) {
  const std::string provider = provider_of_backend(runner.backend);
  const bool uses_gpu =
      !provider.empty() && provider != "CPU" && provider != "CPUExecutionProvider";
  // The user's own command is not confined.
  const std::string sandbox = runner.backend == "command" ? "off" : request.sandbox;
  return {folder,   request.timeout, request.max_memory,         sandbox,
          uses_gpu, request.stop,    is_loaded_by_python(runner)};
}

RunResults results_of(const VerifyRequest& request, const AskedRuntime& runner,
                      const ModelToTry& asked) {
  const ModelFile model{asked.file, FileFormat::onnx, std::nullopt, {}, {}, nullptr};
  ModelRun run{&model, name_of_backend(runner.backend), {}, {}, 1};
  run.options.threads = request.threads;
  run.options.command = runner.command;
  run.options.provider = provider_of_backend(runner.backend);
  run.options.optimise = runner.optimise;
  std::vector<c10::IValue> arguments;
  for (const NamedTensor& input : asked.inputs) {
    run.input_names.push_back(input.name);
    arguments.push_back(to_ivalue(Value{input.tensor}));
  }
  return run_model(run, {arguments});
}

/// Whether it says nothing of the model.
bool is_about_the_call(ErrorKind kind) {
  return kind == ErrorKind::backend_missing || kind == ErrorKind::bad_command ||
         kind == ErrorKind::unknown_backend || kind == ErrorKind::no_sandbox;
}

Answer answer_of(ErrorKind kind) {
  const bool of_the_run = kind == ErrorKind::run_failed || kind == ErrorKind::command_failed ||
                          kind == ErrorKind::out_of_memory;
  return of_the_run ? Answer::failed : Answer::refused;
}

Attempt failure_of(const IsolatedOutcome& outcome) {
  if (outcome.ending == Ending::timed_out) return {Answer::hung, outcome.message, {}};
  if (outcome.ending == Ending::crashed) return {Answer::crashed, outcome.message, {}};
  const ErrorKind kind = outcome.kind.value_or(ErrorKind::run_failed);
  if (is_about_the_call(kind)) throw Error(kind, "", outcome.message, outcome.hint);
  return {answer_of(kind), outcome.message, {}};
}

/// The answer about the model of that number, as one process leaves it to another: a word, and
/// below it what the runtime said.
std::filesystem::path answer_file(const std::filesystem::path& folder, std::size_t number) {
  return folder / (std::to_string(number) + ".answer");
}

void leave_answer(const std::filesystem::path& folder, std::size_t number, Answer answer,
                  const std::string& message) {
  write_plain_file(answer_file(folder, number), [&](std::ostream& out) {
    out << to_string(answer) << "\n" << message;
  });
}

/// Nothing where the process did not come so far.
std::optional<Attempt> left_answer(const std::filesystem::path& folder, std::size_t number) {
  const auto file = answer_file(folder, number), results = folder / std::to_string(number);
  if (!std::filesystem::exists(file)) return std::nullopt;
  constexpr std::uint64_t max_answer_bytes = std::uint64_t{16} << 20;
  const std::string text = read_regular_file(file, max_answer_bytes).bytes;
  const auto end = std::min(text.find('\n'), text.size());
  const auto answer = answer_named(text.substr(0, end));
  Attempt attempt{answer.value_or(Answer::failed), text.substr(std::min(end + 1, text.size())), {}};
  const auto arrays = folder / (std::to_string(number) + ".npz"); // by Python
  if (attempt.answer == Answer::ran && std::filesystem::exists(results))
    attempt.outputs = std::move(read_results(results).samples.at(0));
  else if (attempt.answer == Answer::ran && std::filesystem::exists(arrays))
    attempt.outputs = read_npz(arrays);
  return attempt;
}

/// Those of a share of the models that no process came to yet, in one process.
class Share {
public:
  Share(const VerifyRequest& request, const AskedRuntime& runner,
        const std::vector<ModelToTry>& models, std::size_t first, std::size_t end)
      : request_(request), runner_(runner), models_(models), next_(first), end_(end) {}

  bool is_done() const { return next_ == end_; }

  IsolatedWork work() const {
    const Isolation isolation = isolation_for(request_, runner_, folder_.path());
    if (is_of_python(runner_)) return {[this] { ask_by_python(); }, isolation};
    return {[this] { run_all(); }, isolation};
  }

  /// Where the process ended before it was through, the model that it was at is the cause, unless
  /// others were before it, which may have spent its time or spoilt its memory.
  void take(const IsolatedOutcome& outcome, std::vector<Attempt>& attempts) {
    const std::size_t first = next_;
    for (; next_ < end_; ++next_) {
      auto answer = left_answer(folder_.path(), next_);
      if (!answer) break;
      attempts[next_] = std::move(*answer);
    }
    if (is_done()) return;
    const bool is_hurt = outcome.ending == Ending::timed_out || outcome.ending == Ending::crashed;
    if (is_hurt && next_ != first) return;
    attempts[next_++] = outcome.ending == Ending::done
                            ? Attempt{Answer::crashed, "it ended without an answer", {}}
                            : failure_of(outcome);
  }

private:
  void run_all() const {
    if (request_.threads != 0) at::set_num_threads(static_cast<int>(request_.threads));
    for (std::size_t i = next_; i < end_; ++i) {
      try {
        if (!std::filesystem::exists(models_[i].file))
          throw Error(ErrorKind::backend_refused, "", "the node cannot be made a model of its own");
        const RunResults results = results_of(request_, runner_, models_[i]);
        std::filesystem::create_directory(folder_.path() / std::to_string(i));
        write_results(folder_.path() / std::to_string(i), results);
        leave_answer(folder_.path(), i, Answer::ran, "");
      } catch (const RuntimeEnded& end) {
        leave_answer(folder_.path(), i, Answer::crashed, end.what());
      } catch (const Error& error) {
        if (is_about_the_call(error.kind())) throw;
        leave_answer(folder_.path(), i, answer_of(error.kind()), error.what());
      }
    }
  }

  void ask_by_python() const {
    std::vector<std::string> arguments;
    for (std::size_t i = next_; i < end_; ++i) {
      const auto file = folder_.path() / ("given" + std::to_string(i) + ".npz");
      if (!models_[i].inputs.empty()) write_npz(file, models_[i].inputs);
      arguments.push_back(std::filesystem::absolute(models_[i].file));
      arguments.push_back(models_[i].inputs.empty() ? "-" : file.string());
    }
    become_python(runner_, folder_.path(), next_, arguments);
  }

  const VerifyRequest& request_;
  const AskedRuntime& runner_;
  const std::vector<ModelToTry>& models_;
  std::size_t next_, end_;
  ScratchFolder folder_;
};

bool are_as_good_as_equal(const Tensor& expected, const Tensor& came) {
  const Tensor left = row_major(expected), right = row_major(came);
  if (left.view.dtype != right.view.dtype || left.view.shape != right.view.shape) return false;
  const auto count = static_cast<std::size_t>(element_count(left.view));
  if (std::memcmp(left.view.data, right.view.data, count * element_size(left.view.dtype)) == 0)
    return true;
  constexpr double share = 1e-6;
  if (!is_floating(left.view.dtype)) return false;
  const auto is_near = [](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= share * std::abs(a);
  };
  return std::ranges::equal(numbers_of(left.view), numbers_of(right.view), is_near);
}

/// For results of a model that ONNX Runtime, which `verify` needs, does not run.
Attempt held_against(const NamedTensors& expected, const NamedTensors& came) {
  SameTolerances tolerances;
  tolerances.equal_nan = true;
  const SameResult found =
      same(as_value(expected, false), as_value(came, false), nullptr, tolerances);
  if (found) return {Answer::ran, "", {}};
  return {Answer::differs, found.differences.front(), {}};
}

Attempt verdict_of_verification(const VerifyRequest& request, const std::filesystem::path& file,
                                const std::filesystem::path& candidate,
                                const NamedTensors& inputs) {
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

std::optional<Answer> answer_named(std::string_view word) {
  for (const Answer answer : {Answer::ran, Answer::refused, Answer::failed, Answer::crashed,
                              Answer::hung, Answer::differs})
    if (word == to_string(answer)) return answer;
  return std::nullopt;
}

std::vector<Attempt> try_models(const VerifyRequest& request, const AskedRuntime& runner,
                                const std::vector<ModelToTry>& models, std::size_t jobs) {
  std::vector<Attempt> attempts(models.size());
  const std::size_t size = (models.size() + jobs - 1) / std::max<std::size_t>(1, jobs);
  std::vector<std::unique_ptr<Share>> shares;
  for (std::size_t first = 0; first < models.size(); first += size)
    shares.push_back(std::make_unique<Share>(request, runner, models, first,
                                             std::min(models.size(), first + size)));
  while (!shares.empty()) {
    std::vector<IsolatedWork> works;
    for (const auto& share : shares) works.push_back(share->work());
    const auto outcomes = run_isolated(works);
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i]->take(outcomes[i], attempts);
    std::erase_if(shares, [](const auto& share) { return share->is_done(); });
  }
  return attempts;
}

Attempt try_model(const VerifyRequest& request, const AskedRuntime& runner,
                  const std::filesystem::path& file, const NamedTensors& inputs) {
  return std::move(try_models(request, runner, {{file, inputs}}, 1).front());
}

ExpectedRun run_by_reference(const VerifyRequest& request, const std::filesystem::path& file,
                             const NamedTensors& inputs) {
  Attempt first = try_model(request, reference_runner(), file, inputs);
  if (first.answer == Answer::ran) return {std::move(first), reference_runner()};
  const AskedRuntime second{"onnx-reference", "", true};
  try {
    Attempt other = try_model(request, second, file, inputs);
    if (other.answer == Answer::ran) return {std::move(other), second};
  } catch (const Error& error) { // no Python that has it: nothing is expected, then
    if (error.kind() != ErrorKind::backend_missing) throw;
  }
  return {std::move(first), reference_runner()};
}

bool are_as_good_as_equal(const NamedTensors& expected, const NamedTensors& came) {
  return std::ranges::equal(expected, came, [](const NamedTensor& a, const NamedTensor& b) {
    return are_as_good_as_equal(a.tensor, b.tensor);
  });
}

AskedRuntime runner_of(const VerifyRequest& request) {
  if (!request.command.empty()) return {"command", request.command, true};
  return {request.backend.empty() ? "onnxruntime" : request.backend, "", request.optimise};
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
  const auto& compared = candidate.empty() ? file : candidate;
  Attempt came = try_model(request, runner_of(request), compared, inputs);
  if (came.answer != Answer::ran) return came;
  const ExpectedRun expected = run_by_reference(request, file, inputs);
  if (expected.run.answer != Answer::ran) return {Answer::ran, "", {}}; // nobody knows better
  if (are_as_good_as_equal(expected.run.outputs, came.outputs)) return {Answer::ran, "", {}};
  if (is_of_python(expected.runner)) return held_against(expected.run.outputs, came.outputs);
  return verdict_of_verification(request, file, candidate, inputs);
}

std::string version_of(const VerifyRequest& request, const AskedRuntime& runner) {
  const ScratchFolder folder;
  const auto file = folder.path() / "version";
  if (is_loaded_by_python(runner)) return version_by_python(request, runner, folder.path());
  if (name_of_backend(runner.backend) != "onnxruntime") return {};
  constexpr std::uint64_t max_bytes = 4096;
  const auto outcome = run_isolated(
      [&] { process::write_value(file, onnxruntime_version()); },
      isolation_for(request, {name_of_backend(runner.backend), "", true}, folder.path()));
  if (outcome.ending != Ending::done) return {};
  return process::read_value<std::string>(file, max_bytes, "the runtime");
}

} // namespace model_validator::verify
