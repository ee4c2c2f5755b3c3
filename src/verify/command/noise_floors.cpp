#include "verify/command/noise_floors.h"

#include "verify/command/confined_reading.h"
#include "verify/command/inner_magnitudes.h"
#include "verify/command/model_process.h"
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
/// Beyond this many tolerances, a difference between the two runs of the reference is not noise.
constexpr double believable = 100;
/// A value on the edge of an 8-bit step moves by a 255th.
constexpr double believable_of_steps = 300;
constexpr std::uint64_t nudged_runs = 8;
constexpr double times_nudged = 2;

/// What the graph of the reference says about its noise.
struct GraphNoise {
  std::vector<double> magnitudes; ///< one per output
  bool rounds_to_steps = false;
};

template <class Archive> void describe(Archive& archive, GraphNoise& noise) {
  archive(noise.magnitudes, noise.rounds_to_steps);
}

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
          number(roundings) + " roundings of " + to_string(dtype) + " on numbers of about " +
              number(magnitude) + ", from which the output is computed"};
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

/// The last rounding decides to which side of a step a value at its edge goes, and what is computed
/// from it changes by a step.
bool rounds_to_steps(const ConnectedGraph& graph) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (graph.op(id).type.find("quantize") != std::string::npos) return true;
  return false;
}

NoiseFloor floor_of_steps(const Tensor& reference, const Tensor& nudged) {
  const auto change = noise_of(nudged, reference);
  const double tolerance = default_tolerance(reference.view.dtype);
  if (!change || change->value > believable_of_steps * tolerance * change->scale) return {};
  return {times_nudged * change->value,
          number(times_nudged) + " times the change of the reference, " + number(change->value) +
              ", when its inputs move by " + number(nudge_in_roundings) +
              " roundings: it rounds to steps"};
}

GraphNoise graph_noise(const ModelFile& model) {
  const bool has_graph =
      model.format == FileFormat::onnx || model.format == FileFormat::torchscript;
  if (!has_graph) return {};
  const ConnectedGraph graph = read_graph(model.path, model.options);
  return {inner_magnitudes(graph), rounds_to_steps(graph)};
}

/// One run for each seed; none where the model does not round to steps.
std::vector<RunResults> nudged_results(const ComparedPair& pair, const GraphNoise& noise) {
  std::vector<RunResults> results;
  for (std::uint64_t seed = 0; noise.rounds_to_steps && seed < nudged_runs; ++seed)
    results.push_back(run_reference_nudged(pair, seed));
  return results;
}

void lift(NoiseFloor& floor, NoiseFloor other) {
  if (other.value > floor.value) floor = std::move(other);
}

NoiseFloors floors_of(const NamedTensors& outputs, const std::vector<double>& magnitudes,
                      const NamedTensors& float64, const std::vector<const NamedTensors*>& nudged) {
  NoiseFloors floors;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& tensor = outputs[i].tensor;
    auto& floor = floors[outputs[i].name];
    if (magnitudes.size() == outputs.size()) floor = floor_beside(magnitudes[i], tensor.view.dtype);
    if (float64.size() == outputs.size()) lift(floor, floor_of_noise(tensor, float64[i].tensor));
    for (const NamedTensors* each : nudged)
      if (each->size() == outputs.size()) lift(floor, floor_of_steps(tensor, (*each)[i].tensor));
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
  const auto noise = read_confined_value({pair.reference.path}, pair.request,
                                         [&] { return graph_noise(pair.reference); });
  const auto nudged = nudged_results(pair, noise);
  SampleFloors floors;
  for (std::size_t i = 0; i < reference.samples.size(); ++i) {
    const bool is_known = float64 && i < float64->samples.size();
    std::vector<const NamedTensors*> changed;
    for (const RunResults& each : nudged)
      if (i < each.samples.size()) changed.push_back(&each.samples[i]);
    floors.push_back(floors_of(reference.samples[i], noise.magnitudes,
                               is_known ? float64->samples[i] : NamedTensors{}, changed));
  }
  return floors;
}

} // namespace model_validator::verify
