#include "verify/reduce/whole_failure.h"

#include "files/scratch_folder.h"
#include "verify/command/confined_reading.h"
#include "verify/command/input_listing.h"
#include "verify/reduce/runtimes.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

/// What the whole is run with; stored by a verification that came so far, else made up again.
std::vector<NamedTensors> samples_of(const VerifyRequest& request,
                                     const std::filesystem::path& golden) {
  std::vector<NamedTensors> samples;
  if (std::filesystem::exists(golden / "golden.json")) {
    for (auto& sample : read_golden(golden).samples) samples.push_back(std::move(sample.inputs));
    return samples;
  }
  const auto pair = open_pair(request);
  if (!pair) return samples; // what lint found forbids to go on
  for (const Sample& sample : pair->samples)
    samples.push_back(tensors_of_sample(sample, pair->input_names));
  return samples;
}

/// The first sample with which a model does not run.
std::optional<WholeFailure> failing_run(const VerifyRequest& request,
                                        std::vector<NamedTensors> samples) {
  WholeFailure whole;
  whole.model = request.candidate.empty() ? request.reference : request.candidate;
  whole.runner = runner_of(request);
  for (NamedTensors& inputs : samples) {
    Attempt attempt = try_model(request, whole.runner, whole.model, inputs);
    if (attempt.answer == Answer::ran) continue;
    whole.answer = attempt.answer;
    whole.message = std::move(attempt.message);
    whole.inputs = std::move(inputs);
    return whole;
  }
  return std::nullopt;
}

NamedTensors inputs_by_name(const OnnxOutline& outline, const NamedTensors& given) {
  NamedTensors inputs;
  for (const std::string& name : outline.inputs)
    if (const auto found = std::ranges::find(given, name, &NamedTensor::name); found != given.end())
      inputs.push_back(*found);
  return inputs;
}

} // namespace

void require_onnx(const VerifyRequest& request) {
  require_runtime(request.backend);
  for (const auto* file : {&request.reference, &request.candidate}) {
    if (file->empty()) continue;
    const auto format = read_confined_value({*file}, request, [&] { return recognise(*file); });
    if (format == FileFormat::onnx) continue;
    throw Error(ErrorKind::wrong_format, file->string(), "only ONNX files can be cut into nodes",
                (format == FileFormat::exported_program
                     ? "PyTorch reduces by itself what its compilers fail with: run "
                       "`torch.compile(torch.export.load(FILE).module(), backend=…)` with "
                       "TORCHDYNAMO_REPRO_AFTER=aot in the environment; "
                     : std::string()) +
                    "`verify --localize` names the op that differs");
  }
  if (!request.command.empty() && request.command.find("{model}") == std::string::npos)
    throw Error(ErrorKind::bad_command, "", "the command does not contain {model}",
                "write it as './run.sh {model} {inputs} {outputs}'");
}

std::optional<WholeFailure> failure_of_whole(const VerifyRequest& request) {
  if (only_loads(runner_of(request))) {
    NamedTensors inputs = sample_that_runs(request);
    return failing_run(request, {std::move(inputs)});
  }
  const ScratchFolder folder;
  VerifyRequest asked = request;
  asked.save_golden = folder.path() / "golden";
  try {
    const VerifyResult result = run_verification(asked);
    if (!values_differ(result.report))
      return result.status == VerifyStatus::same
                 ? std::nullopt
                 : failing_run(request, samples_of(request, asked.save_golden));
    const auto& outputs = result.report.outputs;
    const auto differs = std::ranges::find_if_not(outputs, &OutputReport::passed);
    const std::size_t sample = differs == outputs.end() ? 0 : differs->sample * result.report.steps;
    return WholeFailure{Answer::differs,
                        result.report.first_failure(),
                        std::move(read_golden(asked.save_golden).samples.at(sample).inputs),
                        request.reference,
                        runner_of(request),
                        !request.candidate.empty()};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    const auto samples = samples_of(request, asked.save_golden);
    if (auto failing = failing_run(request, samples)) return failing;
    if (samples.empty() || !request.candidate.empty()) throw;
    // The runtime runs it, and ONNX Runtime does not.
    const NamedTensors& inputs = samples.front();
    if (run_by_reference(request, request.reference, inputs).run.answer != Answer::ran) throw;
    Attempt compared = compare_models(request, request.reference, "", inputs);
    if (compared.answer != Answer::differs) return std::nullopt;
    return WholeFailure{compared.answer,   compared.message,   inputs,
                        request.reference, runner_of(request), false};
  }
}

NamedTensors sample_that_runs(const VerifyRequest& request) {
  const ScratchFolder folder;
  VerifyRequest asked = request;
  asked.save_golden = folder.path() / "golden";
  asked.backend.clear();
  asked.command.clear();
  try {
    run_verification(asked);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
  }
  return samples_of(asked, asked.save_golden).at(0);
}

Subject subject_of(const VerifyRequest& request, const std::filesystem::path& model,
                   const NamedTensors& inputs) {
  OnnxFlow flow = flow_of(request, model);
  NamedTensors own = inputs_by_name(flow.outline(), inputs);
  return {model, std::move(flow), std::move(own)};
}

} // namespace model_validator::verify
