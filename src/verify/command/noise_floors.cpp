#include "verify/command/noise_floors.h"

#include "verify/command/confined_reading.h"
#include "verify/command/inner_magnitudes.h"
#include "verify/command/tolerance_advice.h"
#include "verify/compare/float_formats.h"
#include "verify/compare/words.h"

#include <model_validator/graph_reader.h>

#include <algorithm>
#include <set>

namespace model_validator::verify {
namespace {

/// Two kernels each err by one or two roundings.
constexpr double roundings = 4;
/// Both sides have noise, and the candidate's may be the larger.
constexpr double times_own_noise = 3;
/// Beyond so many tolerances it is not noise that parts the two runs of the reference.
constexpr double believable = 100;

bool fails_by_size_alone(const OutputReport& output) {
  static const std::set<std::string> of_size{"tolerance", "pcc", "leverage"};
  const auto harmless = [](const Verdict& verdict) {
    return verdict.passed || of_size.count(verdict.check) != 0;
  };
  return !output.passed() && output.metrics &&
         std::all_of(output.verdicts.begin(), output.verdicts.end(), harmless);
}

NoiseFloor floor_beside(double magnitude, DType dtype) {
  return {roundings * epsilon_of(dtype) * magnitude,
          number(roundings) + " roundings of " + to_string(dtype) + " beside numbers of about " +
              number(magnitude) + ", which the output is computed with"};
}

NoiseFloor floor_of_noise(const Tensor& reference, const Tensor& float64) {
  const auto noise = noise_of(reference, float64);
  const double tolerance = default_tolerance(reference.view.dtype);
  if (!noise || noise->value > believable * tolerance * noise->scale) return {};
  return {times_own_noise * noise->value,
          number(times_own_noise) +
              " times the reference's own distance from its float64 "
              "run, " +
              number(noise->value)};
}

std::vector<double> magnitudes_of(const ModelFile& model) {
  const bool has_graph =
      model.format == FileFormat::onnx || model.format == FileFormat::torchscript;
  if (!has_graph) return {};
  return inner_magnitudes(read_graph(model.path, model.options));
}

NoiseFloors floors_of(const NamedTensors& outputs, const std::vector<double>& magnitudes,
                      const NamedTensors& float64) {
  NoiseFloors floors;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& tensor = outputs[i].tensor;
    auto& floor = floors[outputs[i].name];
    if (magnitudes.size() == outputs.size()) floor = floor_beside(magnitudes[i], tensor.view.dtype);
    if (float64.size() != outputs.size()) continue;
    auto of_noise = floor_of_noise(tensor, float64[i].tensor);
    if (of_noise.value > floor.value) floor = std::move(of_noise);
  }
  return floors;
}

} // namespace

bool fails_by_size_alone(const VerifyReport& report) {
  return std::any_of(report.outputs.begin(), report.outputs.end(),
                     [](const OutputReport& output) { return fails_by_size_alone(output); });
}

SampleFloors noise_floors(const ComparedPair& pair, const RunResults& reference,
                          const std::optional<RunResults>& float64) {
  const auto magnitudes = read_confined_value({pair.reference.path}, pair.request,
                                              [&] { return magnitudes_of(pair.reference); });
  SampleFloors floors;
  for (std::size_t i = 0; i < reference.samples.size(); ++i) {
    const bool is_known = float64 && i < float64->samples.size();
    floors.push_back(floors_of(reference.samples[i], magnitudes,
                               is_known ? float64->samples[i] : NamedTensors{}));
  }
  return floors;
}

} // namespace model_validator::verify
