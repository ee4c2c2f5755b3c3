#include "verify/command/compared_pair.h"

#include "connected_graph/torchscript/file/operator_libraries.h"
#include "verify/command/checker_choice.h"
#include "verify/command/confined_reading.h"
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

void check_request(const VerifyRequest& request) {
  check_tolerances(request);
  const int candidates = !request.candidate.empty() + !request.command.empty() +
                         (request.candidate.empty() && !request.backend.empty());
  if (candidates > 1)
    throw Error(ErrorKind::usage, "", "more than one candidate is named",
                "give a candidate file, `--backend` or `--command`");
  if (!request.golden.empty()) return check_golden(request);
  if (candidates == 0 && request.save_golden.empty())
    throw Error(
        ErrorKind::usage, "", "there is nothing to compare with",
        "give a candidate file, `--backend`, `--command` or `--golden`, or `--save-golden`");
}

std::vector<Sample> stored_samples(const std::vector<InputNeed>& needs,
                                   const GoldenFolder& golden) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < golden.samples.size(); i += golden.steps) {
    NamedValues values;
    for (const auto& [name, tensor] : golden.samples[i].inputs) values.push_back({name, {tensor}});
    samples.push_back(fit_sample(needs, values));
  }
  return samples;
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

std::vector<c10::IValue> arguments_for(const ModelFile& reference, const Sample& sample) {
  if (reference.module) return given_arguments(*reference.module, sample);
  std::vector<c10::IValue> values;
  for (const auto& value : sample) values.push_back(to_ivalue(value));
  return values;
}

/// What is read from a model before it runs.
struct Declaration {
  FileFormat format = FileFormat::unknown;
  std::vector<InputNeed> needs;
};

template <class Archive> void describe(Archive& archive, Declaration& declaration) {
  archive(declaration.format, declaration.needs);
}

ModelFile declared(const std::filesystem::path& file, const ReadOptions& options,
                   const VerifyRequest& request) {
  auto [format, needs] = read_confined_value({file}, request, [&] {
    ModelFile model = declare_model(file, options);
    return Declaration{model.format, std::move(model.needs)};
  });
  return {file, format, std::nullopt, std::move(needs), options, nullptr};
}

} // namespace

ComparedPair open_pair(const VerifyRequest& request) {
  check_request(request);
  const auto options = read_options(request);
  torchscript::load_operator_libraries(options.operator_libraries); // no reader could open them
  ComparedPair pair{request, declared(request.reference, options, request), {}, {}, {}, {}, {}, {},
                    {}};
  if (!request.candidate.empty()) {
    pair.candidate = declared(request.candidate, options, request);
    pair.narrow = find_narrow_copy(pair.reference, *pair.candidate, request);
  }
  if (request.golden.empty()) {
    auto filled = fill_samples(pair.reference.needs, request.inputs);
    pair.samples = std::move(filled.samples);
    pair.made_up_inputs = std::move(filled.made_up);
    pair.steps = request.steps;
  } else {
    pair.golden = read_golden(request.golden);
    pair.samples = stored_samples(pair.reference.needs, *pair.golden);
    pair.steps = pair.golden->steps;
  }
  for (const auto& need : pair.reference.needs) pair.input_names.push_back(need.name);
  return pair;
}

std::vector<std::vector<c10::IValue>> arguments_of(const ComparedPair& pair,
                                                   const ModelFile& reference) {
  std::vector<std::vector<c10::IValue>> arguments;
  for (const auto& sample : pair.samples) {
    arguments.push_back(arguments_for(reference, sample));
    if (reference.program) reference.program->require(shapes_of(arguments.back()));
  }
  return arguments;
}

std::string ComparedPair::candidate_backend() const {
  if (!request.command.empty()) return "command";
  return request.backend.empty() ? candidate_model().own_backend() : request.backend;
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
  options.optimise = false;
  return options;
}

BackendOptions ComparedPair::backend_options() const {
  BackendOptions options;
  options.threads = request.threads;
  options.command = request.command;
  options.device = request.device;
  options.keep_state = calls() > 1;
  return options;
}

bool ComparedPair::shares_names() const {
  const auto backend = candidate_backend();
  return reference.is_torchscript() && candidate_model().is_torchscript() &&
         (backend == "eager" || backend == "ts");
}

} // namespace model_validator::verify
