#include "verify/command/compared_pair.h"

#include "connected_graph/torchscript/file/operator_libraries.h"
#include "verify/backends/backend_name.h"
#include "verify/backends/bound_inputs.h"
#include "verify/command/checker_choice.h"
#include "verify/command/generation.h"
#include "verify/command/input_agreement.h"
#include "verify/command/model_runners.h"
#include "verify/command/self_check.h"
#include "verify/inputs/dtype_range.h"
#include "verify/inputs/input_files.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>

namespace model_validator::verify {
namespace {

ReadOptions read_options(const VerifyRequest& request) {
  ReadOptions options;
  options.operator_libraries = request.operator_libraries;
  return options;
}

/// Stored results are the reference, so the model at hand is the candidate, and their inputs are
/// the inputs.
void check_golden(const VerifyRequest& request) {
  if (!request.candidate.empty() || !request.save_golden.empty())
    throw Error(ErrorKind::usage, "", "the reference is named twice: a model and stored results",
                "give one model with `--golden`, the one to be compared with them");
  const InputOptions& inputs = request.inputs;
  if (!inputs.specs.empty() || !inputs.files.empty() || request.steps)
    throw Error(ErrorKind::usage, "", "the inputs are those of the stored results",
                "leave out `--input`, `--inputs` and `--steps`");
}

/// @throws Error where there is none of that name, or it has no providers
void check_backend(const VerifyRequest& request) {
  if (request.backend.empty()) return;
  const std::string name = name_of_backend(request.backend);
  BackendRegistry::builtin().find(name);
  if (name != request.backend && name != "onnxruntime" && name != "openvino")
    throw Error(ErrorKind::usage, "", "the backend `" + name + "` has no execution providers",
                "`onnxruntime:CUDAExecutionProvider` and `openvino:GPU` name one");
}

void check_request(const VerifyRequest& request) {
  check_tolerances(request);
  check_backend(request);
  const int candidates = !request.candidate.empty() + !request.command.empty() +
                         (request.candidate.empty() && !request.backend.empty());
  if (candidates > 1)
    throw Error(ErrorKind::usage, "", "more than one candidate is named",
                "give a candidate file, `--backend` or `--command`");
  if (!request.golden.empty()) return check_golden(request);
  const bool only_inputs =
      request.show_inputs || !request.write_inputs.empty() || is_self_check(request);
  if (candidates == 0 && request.save_golden.empty() && !only_inputs)
    throw Error(
        ErrorKind::usage, "", "there is nothing to compare with",
        "give a candidate file, `--backend`, `--command` or `--golden`, or `--save-golden`; "
        "a model with caches is held against itself by `--steps`");
}

Sample stored_sample(const std::vector<InputNeed>& needs, const GoldenSample& golden) {
  NamedValues values;
  for (const auto& [name, tensor] : golden.inputs) values.push_back({name, {tensor}});
  return fit_sample(needs, values);
}

void take_stored_samples(ComparedPair& pair) {
  const GoldenFolder& golden = *pair.golden;
  for (std::size_t i = 0; i < golden.samples.size(); ++i) {
    Sample sample = stored_sample(pair.reference.needs, golden.samples[i]);
    if (i % golden.steps == 0) {
      pair.samples.push_back(std::move(sample));
      pair.later.emplace_back();
    } else {
      pair.later.back().push_back(std::move(sample));
    }
  }
}

/// Those at the end that nobody gave, and that the model has values of its own for, are left out:
/// what it was compiled to need not take them.
std::vector<c10::IValue> given_arguments(const torch::jit::Module& module, const Sample& sample) {
  std::vector<c10::IValue> arguments = to_arguments(module, sample);
  const auto& declared = module.get_method("forward").function().getSchema().arguments();
  while (!arguments.empty() && declared[arguments.size()].default_value() &&
         std::holds_alternative<None>(sample[arguments.size() - 1].data))
    arguments.pop_back();
  return arguments;
}

/// A program computes with what it was exported for, whatever else holds the same numbers.
/// @throws Error (`bad-inputs`) for numbers that are not whole where it takes whole ones
Sample as_exported(const std::vector<InputNeed>& needs, Sample sample) {
  for (std::size_t i = 0; i < std::min(needs.size(), sample.size()); ++i) {
    const auto* tensor = std::get_if<Tensor>(&sample[i].data);
    if (tensor == nullptr || !needs[i].dtype) continue;
    const DType given = tensor->view.dtype, declared = *needs[i].dtype;
    if (holds_all_of(declared, given) || (is_integral(declared) && is_floating(given)))
      sample[i] = {as_declared({needs[i].name, *tensor}, declared, {})};
  }
  return sample;
}

std::vector<c10::IValue> arguments_for(const ModelFile& reference, const Sample& sample) {
  if (reference.program)
    return given_arguments(*reference.module, as_exported(reference.program->needs(), sample));
  if (reference.module) return given_arguments(*reference.module, sample);
  std::vector<c10::IValue> values;
  for (const auto& value : sample) values.push_back(to_ivalue(value));
  return values;
}

/// Whether the candidate may take other inputs than the reference.
bool declares_inputs(const ComparedPair& pair) {
  return pair.candidate && !pair.candidate->needs.empty();
}

std::uint64_t size_of(const std::filesystem::path& file) {
  std::error_code failure;
  std::uint64_t bytes = 0;
  const std::filesystem::path beside = file.string() + ".data"; // weights of a large ONNX file
  for (const auto& each : {file, beside})
    if (const auto size = std::filesystem::file_size(each, failure); !failure) bytes += size;
  return bytes;
}

/// What the user writes, by the names of the reference.
InputOptions input_options(const ComparedPair& pair) {
  InputOptions options = pair.request.inputs;
  if (declares_inputs(pair))
    use_names_of_reference(options, pair.reference.needs, pair.candidate->needs);
  return options;
}

template <class Condition> void leave_out(FilledSamples& filled, Condition condition) {
  for (std::size_t i = filled.samples.size(); i-- > 0;) {
    if (!condition(filled.shapes[i].scene)) continue;
    filled.samples.erase(filled.samples.begin() + static_cast<std::ptrdiff_t>(i));
    filled.shapes.erase(filled.shapes.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

/// A model that keeps state is called several times, each time with other values.
void take_later_samples(ComparedPair& pair) {
  pair.later.clear();
  const std::size_t calls =
      std::max({pair.request.steps.value_or(1), calls_of_state(pair.reference),
                calls_of_state(pair.candidate_model())});
  if (pair.generates || calls == 1) return;
  pair.later.resize(pair.samples.size());
  for (std::size_t step = 1; step < calls; ++step) {
    auto samples = later_samples(pair.reference.needs, input_options(pair), pair.shapes, step);
    for (std::size_t i = 0; i < samples.size(); ++i) pair.later[i].push_back(std::move(samples[i]));
  }
}

void take_samples(ComparedPair& pair, FilledSamples filled) {
  ++pair.revision;
  pair.samples = std::move(filled.samples);
  pair.shapes = std::move(filled.shapes);
  pair.made_up_inputs = std::move(filled.made_up);
  take_later_samples(pair);
  pair.candidate_inputs.reset();
  if (!declares_inputs(pair)) return;
  const auto match = match_inputs(pair.reference.needs, pair.candidate->needs);
  if (!match) return;
  const auto for_candidate = [&](const std::vector<Sample>& samples) {
    return candidate_inputs(pair.reference.needs, pair.candidate->needs, *match, samples,
                            pair.shapes);
  };
  pair.candidate_inputs = for_candidate(pair.samples);
  auto& later = pair.candidate_inputs->later;
  later.resize(pair.samples.size());
  for (std::size_t step = 0; !pair.later.empty() && step < pair.later.front().size(); ++step) {
    std::vector<Sample> samples;
    for (const auto& calls : pair.later) samples.push_back(calls.at(step));
    auto own = for_candidate(samples).samples;
    for (std::size_t i = 0; i < own.size(); ++i) later[i].push_back(std::move(own[i]));
  }
}

/// @param needs  of the reference, by its own file
void require_fitting_inputs(const ComparedPair& pair, const std::vector<InputNeed>& needs) {
  if (pair.samples.empty()) return;
  const DeclaredInputs reference{pair.reference.path.string(), needs};
  require_declared(reference, pair.samples.front());
  if (!declares_inputs(pair)) return; // an AOTInductor package names none
  const auto has_name_of_reference = [&](const InputNeed& need) {
    return std::ranges::find(needs, need.name, &InputNeed::name) != needs.end();
  };
  const auto& others = pair.candidate->needs;
  if (pair.candidate_inputs && std::ranges::any_of(others, has_name_of_reference))
    return; // inputs of its own were made
  require_same_inputs(
      reference,
      {pair.candidate->path.string(), others, pair.candidate->format == FileFormat::litert},
      pair.samples.front());
}

} // namespace

const Sample& ComparedPair::inputs_of_call(std::size_t sample, std::size_t step) const {
  const bool same = step == 0 || sample >= later.size() || step > later[sample].size();
  return same ? samples.at(sample) : later[sample][step - 1];
}

bool take_standard_samples(ComparedPair& pair, std::size_t attempt) {
  auto filled = standard_samples(pair.reference.needs, input_options(pair),
                                 size_of(pair.request.reference), attempt);
  if (!filled) return false;
  // After padding on the right nothing follows; a copy is not calibrated for limits.
  leave_out(*filled, [&](const Scene& scene) {
    return (pair.generates && (scene.padding == Padding::right || scene.first_row >= 0)) ||
           (pair.is_quantised() &&
            (scene.values == Values::saturated || scene.values == Values::magnitudes));
  });
  take_samples(pair, std::move(*filled));
  return true;
}

void take_sample_of(ComparedPair& pair, std::int64_t sequence, std::int64_t past) {
  take_samples(pair, sample_of(pair.reference.needs, input_options(pair), sequence, past));
}

void keep_samples(ComparedPair& pair, const std::vector<std::size_t>& kept) {
  if (kept.size() == pair.samples.size()) return;
  ++pair.revision;
  const auto keep = [&](auto& items) {
    std::remove_reference_t<decltype(items)> rest;
    for (const std::size_t i : kept) rest.push_back(std::move(items.at(i)));
    items = std::move(rest);
  };
  keep(pair.samples);
  keep(pair.shapes);
  if (!pair.later.empty()) keep(pair.later);
  if (!pair.candidate_inputs) return;
  keep(pair.candidate_inputs->samples);
  keep(pair.candidate_inputs->later);
}

std::optional<ComparedPair> open_pair(const VerifyRequest& request) {
  check_request(request);
  const auto options = read_options(request);
  torchscript::load_operator_libraries(options.operator_libraries); // no reader could open them
  const auto read = read_file(request.reference, options, request, ReadAs::reference);
  if (!read) return std::nullopt;
  ComparedPair pair{request, read->model, {}, {}, {}, {}, {}, {}, {}, read->noise};
  pair.runners = std::make_shared<ModelRunners>();
  if (!request.candidate.empty()) {
    auto other = *read_file(request.candidate, options, request, ReadAs::candidate);
    if (request.candidate != request.reference)
      pair.narrow = narrow_copy_of(read->precision, other.precision);
    pair.candidate = std::move(other.model);
    pair.with_nan = std::move(other.with_nan);
  }
  if (!request.candidate_precision.empty())
    pair.narrow = narrow_copy_named(request.candidate_precision);
  const std::vector<InputNeed> own_needs = pair.reference.needs;
  if (request.golden.empty()) {
    if (declares_inputs(pair))
      pair.notes = take_over_declarations(pair.reference.needs, pair.candidate->needs);
    pair.chooses_samples = leaves_samples_open(pair.reference.needs, request.inputs);
    pair.generates =
        request.steps.value_or(1) > 1 &&
        (takes_caches(pair.reference.needs) || names_input(request.wires, pair.reference.needs));
    if (pair.chooses_samples)
      take_standard_samples(pair, 0);
    else
      take_samples(pair, fill_samples(pair.reference.needs, input_options(pair)));
    pair.steps = request.steps;
  } else {
    pair.golden = read_golden(request.golden);
    take_stored_samples(pair);
    pair.steps = pair.golden->steps;
  }
  for (const auto& need : pair.reference.needs) pair.input_names.push_back(need.name);
  require_fitting_inputs(pair, own_needs);
  return pair;
}

std::vector<std::vector<c10::IValue>> arguments_of(const std::vector<Sample>& samples,
                                                   const ModelFile& model,
                                                   std::vector<FailedSample>* failed) {
  std::vector<std::vector<c10::IValue>> arguments;
  for (const auto& sample : samples) {
    arguments.push_back(arguments_for(model, sample));
    try {
      if (model.program) model.program->require(shapes_of(arguments.back()));
    } catch (const Error& error) {
      if (failed == nullptr) throw;
      failed->push_back({arguments.size() - 1, error.what(), error.hint()});
    }
  }
  return arguments;
}

std::string ComparedPair::candidate_backend() const {
  if (!request.command.empty()) return "command";
  return request.backend.empty() ? candidate_model().own_backend()
                                 : name_of_backend(request.backend);
}

std::string ComparedPair::reference_name() const {
  return golden ? request.golden.string() : request.reference.string();
}

std::string ComparedPair::reference_backend() const {
  if (golden) return "stored results";
  const std::string own = reference.own_backend();
  return own == "onnxruntime" ? own + " without optimisations" : own;
}

std::string ComparedPair::candidate_name() const {
  if (!request.command.empty()) return request.command;
  if (golden) return request.reference.string();
  return candidate ? request.candidate.string() : request.backend;
}

BackendOptions ComparedPair::options_of_reference() const {
  BackendOptions options = backend_options();
  options.device = "cpu"; // only the candidate's device is verified
  options.provider.clear();
  options.optimise = false;
  return options;
}

BackendOptions ComparedPair::backend_options() const {
  BackendOptions options;
  options.threads = request.threads;
  options.optimise = request.optimise;
  options.command = request.command;
  options.device = request.device;
  options.provider = provider_of_backend(request.backend);
  options.keep_state = calls() > 1;
  return options;
}

bool ComparedPair::shares_names() const {
  const auto backend = candidate_backend();
  return reference.is_torchscript() && candidate_model().is_torchscript() &&
         (backend == "eager" || backend == "ts");
}

} // namespace model_validator::verify
