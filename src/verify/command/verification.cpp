#include "report/atomic_file.h"
#include "verify/command/checker_choice.h"
#include "verify/command/model_file.h"
#include "verify/command/nan_weights.h"
#include "verify/command/results.h"
#include "verify/command/run_model.h"
#include "verify/command/tolerance_advice.h"
#include "verify/localize/localize.h"
#include "verify/run/device.h"
#include "verify/run/golden_folder.h"
#include "verify/run/input_files.h"
#include "verify/run/isolated.h"
#include "verify/run/scratch_folder.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>
#include <model_validator/verify/config.h>
#include <model_validator/verify/render.h>
#include <model_validator/verify/request.h>
#include <model_validator/verify/same.h>

#include <ATen/Parallel.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

using Ending = IsolatedOutcome::Ending;
using Arguments = std::vector<std::vector<c10::IValue>>;

/// Everything a verification works on.
class Verification {
public:
  explicit Verification(const VerifyRequest& request) : request_(request) {}
  VerifyResult run();

private:
  void open_models();
  void make_inputs();
  RunResults run_reference();
  void save_golden(const RunResults& reference) const;
  std::optional<RunResults> run_candidate(bool reference_settles);
  void compare_with(const RunResults& reference, const RunResults& candidate);
  bool shares_names() const;
  void judge_by_same(const Value& reference, const Value& candidate, std::size_t sample);
  void look_for_nan_weights();
  void advise(const RunResults& reference);
  bool results_differ() const;
  std::size_t first_failing_sample() const;
  void localize_difference();
  VerifyResult finish(VerifyStatus status);

  std::string candidate_backend() const;
  const ModelFile& candidate_model() const { return candidate_ ? *candidate_ : reference_; }
  std::string candidate_name() const;
  BackendOptions backend_options() const;
  void limit_threads() const;
  IsolatedOutcome run_into(const std::filesystem::path& folder,
                           const std::function<RunResults()>& work) const;

  const VerifyRequest& request_;
  ModelFile reference_;
  std::optional<ModelFile> candidate_;
  std::vector<std::string> input_names_;
  std::vector<Sample> samples_;
  Arguments arguments_;
  VerifyReport report_;
};

ReadOptions read_options(const VerifyRequest& request) {
  ReadOptions options;
  options.operator_libraries = request.operator_libraries;
  return options;
}

void check_request(const VerifyRequest& request) {
  const int candidates = !request.candidate.empty() + !request.command.empty() +
                         !request.golden.empty() +
                         (request.candidate.empty() && !request.backend.empty());
  if (candidates > 1)
    throw Error("usage", "", "more than one candidate is named",
                "give a candidate file, `--backend`, `--command` or `--golden`");
  if (candidates == 0 && request.save_golden.empty())
    throw Error(
        "usage", "", "there is nothing to compare with",
        "give a candidate file, `--backend`, `--command` or `--golden`, or `--save-golden`");
}

[[noreturn]] void rethrow(const IsolatedOutcome& outcome, const std::string& path) {
  throw Error(outcome.kind, path, outcome.message, outcome.hint);
}

/// A device that was woken up here could not be used in the processes that are forked later.
void check_device(const std::string& device) {
  if (device == "cpu") return;
  const auto outcome = run_isolated([&] { require_device(device); });
  if (outcome.ending != Ending::done) rethrow(outcome, "");
}

NamedTensors flat_sample(const Sample& sample, const std::vector<std::string>& names) {
  NamedTensors tensors;
  for (const auto& [path, value] : flatten(Value{Sequence{sample, names}}))
    tensors.push_back({path, as_tensor(value)});
  return tensors;
}

std::vector<Sample> stored_samples(const std::vector<InputNeed>& needs,
                                   const std::filesystem::path& folder) {
  std::vector<Sample> samples;
  for (const auto& stored : read_golden(folder).samples) {
    NamedValues values;
    for (const auto& [name, tensor] : stored.inputs) values.push_back({name, {tensor}});
    samples.push_back(fit_sample(needs, values));
  }
  return samples;
}

bool changes_between_runs(const RunResults& results) {
  for (const auto& incident : results.incidents)
    if (incident.kind == "not-deterministic") return true;
  return false;
}

void Verification::open_models() {
  reference_ = open_model(request_.reference, read_options(request_));
  if (!request_.candidate.empty())
    candidate_ = open_candidate(request_.candidate, read_options(request_));
}

void Verification::make_inputs() {
  samples_ = request_.golden.empty() ? make_samples(reference_.needs, request_.inputs)
                                     : stored_samples(reference_.needs, request_.golden);
  for (const auto& need : reference_.needs) input_names_.push_back(need.name);
  for (const auto& sample : samples_) {
    std::vector<c10::IValue> values;
    if (reference_.module)
      values = to_arguments(*reference_.module, sample);
    else
      for (const auto& value : sample) values.push_back(to_ivalue(value));
    arguments_.push_back(std::move(values));
  }
}

BackendOptions Verification::backend_options() const {
  BackendOptions options;
  options.threads = request_.threads;
  options.command = request_.command;
  options.golden = request_.golden;
  options.device = request_.device;
  return options;
}

/// In a process of its own, before anything is computed there.
void Verification::limit_threads() const {
  if (request_.threads != 0) at::set_num_threads(static_cast<int>(request_.threads));
}

IsolatedOutcome Verification::run_into(const std::filesystem::path& folder,
                                       const std::function<RunResults()>& work) const {
  return run_isolated(
      [&] {
        limit_threads();
        write_results(folder, work());
      },
      request_.timeout);
}

RunResults Verification::run_reference() {
  const ScratchFolder folder;
  ModelRun run{&reference_, reference_.own_backend(), backend_options(), input_names_};
  run.options.device = "cpu"; // the candidate's device is what is verified
  const auto outcome = run_into(folder.path(), [&] { return run_model(run, arguments_); });
  if (outcome.ending == Ending::failed) rethrow(outcome, request_.reference.string());
  if (outcome.ending == Ending::done) return read_results(folder.path());
  throw Error("reference-crashed", request_.reference.string(),
              "the reference cannot be run: " + outcome.message);
}

void Verification::save_golden(const RunResults& reference) const {
  GoldenFolder golden{request_.reference.filename().string(), {}};
  for (std::size_t i = 0; i < reference.samples.size(); ++i)
    golden.samples.push_back({flat_sample(samples_[i], input_names_), reference.samples[i]});
  write_golden(request_.save_golden, golden);
}

std::string Verification::candidate_backend() const {
  if (!request_.command.empty()) return "command";
  if (!request_.golden.empty()) return "golden";
  return request_.backend.empty() ? candidate_model().own_backend() : request_.backend;
}

std::string Verification::candidate_name() const {
  if (!request_.command.empty()) return request_.command;
  if (!request_.golden.empty()) return request_.golden.string();
  return candidate_ ? request_.candidate.string() : request_.backend;
}

/// Nothing when the candidate did not come to an end; the report says why.
std::optional<RunResults> Verification::run_candidate(bool reference_settles) {
  const ScratchFolder folder;
  const ModelRun run{&candidate_model(), candidate_backend(), backend_options(), input_names_};
  const auto outcome = run_into(folder.path(), [&] { return run_model(run, arguments_); });
  switch (outcome.ending) {
  case Ending::timed_out:
    report_.incidents.push_back({"timeout", "the candidate hangs: " + outcome.message, "", true});
    return std::nullopt;
  case Ending::crashed:
    report_.incidents.push_back({"crash", "the candidate crashed: " + outcome.message, "", true});
    return std::nullopt;
  case Ending::failed:
    if (outcome.kind != "run-failed" && outcome.kind != "command-failed")
      rethrow(outcome, candidate_name());
    report_.incidents.push_back(
        {"crash", "the candidate failed: " + outcome.message, outcome.hint, true});
    return std::nullopt;
  case Ending::done: break;
  }
  auto results = read_results(folder.path());
  for (auto incident : results.incidents) {
    // A candidate need not be steadier than what it is compared with.
    if (incident.kind == "not-deterministic") incident.failure = reference_settles;
    incident.message = "candidate: " + incident.message;
    report_.incidents.push_back(std::move(incident));
  }
  return results;
}

void Verification::judge_by_same(const Value& reference, const Value& candidate,
                                 std::size_t sample) {
  const auto verdict = same(reference, candidate);
  for (const auto& difference : verdict.differences)
    report_.incidents.push_back(
        {"values", "sample " + std::to_string(sample) + ": " + difference, "", true});
  report_.notes.insert(report_.notes.end(), verdict.notes.begin(), verdict.notes.end());
}

/// LibTorch gives both sides the names of what they return; other formats have names of their own,
/// and outputs are told by their order.
bool Verification::shares_names() const {
  const auto backend = candidate_backend();
  return reference_.module && candidate_model().module && (backend == "eager" || backend == "ts");
}

void Verification::compare_with(const RunResults& reference, const RunResults& candidate) {
  VerifyConfig config;
  config.value_checker = choose_checker(request_);
  config.verify_values = request_.checker != "same";
  config.histogram = !request_.report.empty();
  config.threads = request_.threads;
  for (std::size_t i = 0; i < reference.samples.size(); ++i) {
    const auto& outputs = reference.samples[i];
    const NamedTensors none;
    const auto& others = i < candidate.samples.size() ? candidate.samples[i] : none;
    const bool by_name = shares_names() && come_from_dict(outputs) && come_from_dict(others);
    const auto expected = by_name ? as_dict(outputs) : as_value(outputs);
    const auto got = by_name ? as_dict(others) : as_value(others);
    merge(report_, compare(expected, got, config, i));
    if (request_.checker == "same") judge_by_same(expected, got, i);
  }
}

/// Another model than the one that is compiled here may have been damaged on its way.
void Verification::look_for_nan_weights() {
  if (!candidate_) return;
  if (auto incident = nan_of_candidate_alone(reference_, *candidate_))
    report_.incidents.push_back(std::move(*incident));
}

void Verification::advise(const RunResults& reference) {
  if (!reference_.module) {
    report_.notes.emplace_back("the noise of float32 is only measured for a TorchScript reference");
    return;
  }
  const ScratchFolder folder;
  const auto outcome =
      run_into(folder.path(), [&] { return run_in_float64(*reference_.module, arguments_); });
  if (outcome.ending != Ending::done) {
    report_.notes.push_back("the reference could not be run in float64: " + outcome.message);
    return;
  }
  add_tolerance_advice(report_, reference, read_results(folder.path()));
}

/// What else fails a verification, such as inputs that were written into, begins at no op.
bool Verification::results_differ() const {
  const auto differs = [](const OutputReport& output) { return !output.passed(); };
  const auto tells_so = [](const Incident& incident) {
    return incident.kind == "values" || incident.kind == "number-of-outputs";
  };
  return std::any_of(report_.outputs.begin(), report_.outputs.end(), differs) ||
         std::any_of(report_.incidents.begin(), report_.incidents.end(), tells_so);
}

std::size_t Verification::first_failing_sample() const {
  for (const auto& output : report_.outputs)
    if (!output.passed()) return output.sample;
  return 0;
}

void Verification::localize_difference() {
  if (!reference_.module) {
    report_.notes.emplace_back("the first differing op is only sought for a TorchScript reference");
    return;
  }
  constexpr int runs = 20; // about so many of each model are needed
  const auto limit = request_.timeout ? std::optional(*request_.timeout * runs) : std::nullopt;
  const ScratchFolder folder;
  const auto file = folder.path() / "divergence.json";
  const auto outcome = run_isolated(
      [&] {
        limit_threads();
        const auto backend = BackendRegistry::builtin().find(candidate_backend());
        write_divergence(file, localize(*reference_.module, *backend,
                                        candidate_model().backend_input(input_names_),
                                        arguments_.at(first_failing_sample()), backend_options()));
      },
      limit);
  if (outcome.ending != Ending::done) {
    report_.notes.push_back("the first differing op was not found: " + outcome.message);
    return;
  }
  const auto divergence = read_divergence(file);
  report_.ops = divergence.ops;
  report_.notes.insert(report_.notes.end(), divergence.notes.begin(), divergence.notes.end());
}

VerifyResult Verification::finish(VerifyStatus status) {
  if (!request_.report.empty()) {
    AtomicFile page(request_.report);
    page.stream() << render_html(report_);
    page.commit();
  }
  if (request_.output_format == "json") return {status, render_json(report_)};
  if (request_.output_format == "junit") return {status, render_junit(report_)};
  return {status, render_text(report_, request_.color)};
}

VerifyResult Verification::run() {
  check_request(request_);
  check_device(request_.device);
  open_models();
  make_inputs();
  report_.reference = request_.reference.string();
  report_.candidate = candidate_name();
  report_.backend = candidate_backend();
  report_.checker = request_.checker;
  report_.samples = samples_.size();
  const auto reference = run_reference();
  if (std::all_of(reference.samples.begin(), reference.samples.end(),
                  [](const NamedTensors& outputs) { return outputs.empty(); }))
    throw Error("nothing-to-compare", request_.reference.string(),
                "the model returns neither tensors nor numbers",
                "let its `forward` return what is to be compared");
  if (!request_.save_golden.empty()) save_golden(reference);
  if (report_.candidate.empty())
    return {VerifyStatus::same, "stored the results of " + std::to_string(samples_.size()) +
                                    " sample(s) in " + request_.save_golden.string() + "\n"};
  const bool settles = !changes_between_runs(reference);
  if (!settles) report_.notes.emplace_back("the reference differs from itself on a second run");
  const auto candidate = run_candidate(settles);
  if (!candidate) return finish(VerifyStatus::crashed);
  compare_with(reference, *candidate);
  look_for_nan_weights();
  if (request_.auto_tolerance) advise(reference);
  if (request_.localize && results_differ()) localize_difference();
  return finish(report_.passed() ? VerifyStatus::same : VerifyStatus::different);
}

} // namespace

VerifyResult run_verification(const VerifyRequest& request) { return Verification(request).run(); }

} // namespace model_validator::verify
