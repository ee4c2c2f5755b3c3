#include "verify/command/compared_pair.h"

#include "verify/run/golden_folder.h"
#include "verify/run/input_files.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>

namespace model_validator::verify {
namespace {

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

std::vector<Sample> stored_samples(const std::vector<InputNeed>& needs,
                                   const std::filesystem::path& folder) {
  std::vector<Sample> samples;
  const auto golden = read_golden(folder);
  for (std::size_t i = 0; i < golden.samples.size(); i += golden.steps) {
    NamedValues values;
    for (const auto& [name, tensor] : golden.samples[i].inputs) values.push_back({name, {tensor}});
    samples.push_back(fit_sample(needs, values));
  }
  return samples;
}

std::vector<c10::IValue> arguments_of(const ModelFile& reference, const Sample& sample) {
  if (reference.module) return to_arguments(*reference.module, sample);
  std::vector<c10::IValue> values;
  for (const auto& value : sample) values.push_back(to_ivalue(value));
  return values;
}

} // namespace

ComparedPair open_pair(const VerifyRequest& request) {
  check_request(request);
  const auto options = read_options(request);
  ComparedPair pair{request, declare_model(request.reference, options), {}, {}, {}, {}, {}};
  if (!request.candidate.empty()) pair.candidate = declare_candidate(request.candidate, options);
  pair.samples = request.golden.empty() ? make_samples(pair.reference.needs, request.inputs)
                                        : stored_samples(pair.reference.needs, request.golden);
  for (const auto& need : pair.reference.needs) pair.input_names.push_back(need.name);
  for (const auto& sample : pair.samples)
    pair.arguments.push_back(arguments_of(pair.reference, sample));
  pair.steps = request.golden.empty() ? request.steps : read_golden(request.golden).steps;
  return pair;
}

std::string ComparedPair::candidate_backend() const {
  if (!request.command.empty()) return "command";
  if (!request.golden.empty()) return "golden";
  return request.backend.empty() ? candidate_model().own_backend() : request.backend;
}

std::string ComparedPair::candidate_name() const {
  if (!request.command.empty()) return request.command;
  if (!request.golden.empty()) return request.golden.string();
  return candidate ? request.candidate.string() : request.backend;
}

BackendOptions ComparedPair::backend_options() const {
  BackendOptions options;
  options.threads = request.threads;
  options.command = request.command;
  options.golden = request.golden;
  options.device = request.device;
  options.keep_state = calls() > 1;
  return options;
}

bool ComparedPair::shares_names() const {
  const auto backend = candidate_backend();
  return reference.module && candidate_model().module && (backend == "eager" || backend == "ts");
}

} // namespace model_validator::verify
