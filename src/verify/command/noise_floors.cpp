#include "verify/command/noise_floors.h"

#include "verify/command/model_process.h"
#include "verify/compare/float_formats.h"
#include "verify/compare/words.h"

#include <model_validator/error.h>

#include <algorithm>
#include <functional>
#include <set>

namespace model_validator::verify {
namespace {

/// Two kernels each err by one or two roundings: oneDNN's and ONNX Runtime's sigmoids near zero do.
constexpr double roundings = 4;
/// Beyond this share of the largest value, a difference between the two runs of the reference is
/// noise only if moving the reference by some roundings changes it by a like amount. Rounding alone
/// was at most 3e-6 in 46 real networks; what takes another way in float64 is far beyond.
constexpr double believable = 0.2;
/// Moving may change it less than rounding did, by chance and as fewer numbers move.
constexpr double a_like_amount = 1.0 / 30;
/// A second run shows a change that is small by chance in the first. On which side of a step a
/// value lies is rarely decided by the last rounding: that takes more. Each costs a run.
constexpr std::size_t moved_runs_of_steps = 8, moved_runs = 2;
/// A float64 run of a network that computes in float64 repeats it to some of its roundings, 2e-16
/// each; one that computes in float32 differs by some 1e-7. Any number between tells them apart.
constexpr double same_in_float64 = 1e-12;

/// None for a result that is not floating-point, or has another shape on the other side.
std::optional<ScaleProfile> changes_of(const Tensor& reference, const Tensor& other) {
  if (!is_floating(reference.view.dtype) || reference.view.shape != other.view.shape) return {};
  return scale_profile(reference.view, other.view);
}

double scale_of(const ScaleProfile& profile) {
  double scale = 0;
  for (const ScaleGroup& octave : profile.by_octave) scale = std::max(scale, octave.scale);
  return scale;
}

double greatest_error(const ScaleProfile& profile) {
  double error = profile.zeros.error;
  for (const ScaleGroup& octave : profile.by_octave) error = std::max(error, octave.error);
  return error;
}

/// Calls `take` with each floating-point output of every call, and how another run of the model
/// differs there.
void for_each_change(
    const RunResults& reference, const RunResults& other,
    const std::function<void(std::size_t, const NamedTensor&, const ScaleProfile&)>& take) {
  for (std::size_t i = 0; i < reference.samples.size() && i < other.samples.size(); ++i) {
    const NamedTensors& outputs = reference.samples[i];
    if (other.samples[i].size() != outputs.size()) continue;
    for (std::size_t k = 0; k < outputs.size(); ++k)
      if (const auto changes = changes_of(outputs[k].tensor, other.samples[i][k].tensor))
        take(i, outputs[k], *changes);
  }
}

} // namespace

NoiseMeasurement::NoiseMeasurement(const ComparedPair& pair, const RunResults& reference)
    : pair_(pair), reference_(reference), floors_(reference.samples.size()),
      doubtful_(reference.samples.size()) {}

void NoiseMeasurement::measure(const std::optional<RunResults>& float64) {
  for (std::size_t i = 0; i < reference_.samples.size(); ++i) {
    const NamedTensors& outputs = reference_.samples[i];
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const DType dtype = outputs[k].tensor.view.dtype;
      NoiseFloor& floor = floors_[i][outputs[k].name];
      if (!is_floating(dtype)) continue;
      if (pair_.noise.computed_in.size() == outputs.size() && !pair_.noise.computed_in[k].empty())
        if (const auto inner = parse_dtype(pair_.noise.computed_in[k]);
            inner && epsilon_of(*inner) > epsilon_of(dtype))
          floor.computed_in = inner;
      if (pair_.noise.magnitudes.size() != outputs.size()) continue;
      const DType computing = floor.computed_in.value_or(dtype);
      floor.value = roundings * epsilon_of(computing) * pair_.noise.magnitudes[k];
      floor.origin = number(roundings) + " roundings of " + to_string(computing) +
                     " on numbers of about " + number(pair_.noise.magnitudes[k]) +
                     ", from which the output is computed";
    }
  }
  if (float64) take_float64(*float64);
}

const NoiseFloor* NoiseMeasurement::floor_of(std::size_t call, const std::string& output) const {
  if (call >= floors_.size()) return nullptr;
  const auto found = floors_[call].find(output);
  return found == floors_[call].end() ? nullptr : &found->second;
}

void NoiseMeasurement::take_float64(const RunResults& float64) {
  const auto take = [this](std::size_t call, const NamedTensor& output,
                           const ScaleProfile& changes) {
    const double distance = greatest_error(changes), scale = scale_of(changes);
    NoiseFloor& floor = floors_[call][output.name];
    if (epsilon_of(output.tensor.view.dtype) == epsilon_of(DType::float64) &&
        distance > same_in_float64 * scale && !floor.computed_in)
      floor.computed_in = DType::float32;
    if (distance > believable * scale) doubtful_[call].emplace(output.name, distance);
  };
  for_each_change(reference_, float64, take);
}

void NoiseMeasurement::move_by_roundings() {
  const std::size_t runs = pair_.noise.rounds_to_steps ? moved_runs_of_steps : moved_runs;
  try {
    moved_ = run_reference_moved(pair_, runs);
    for (const RunResults& moved : moved_) confirm_by(moved);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw; // else the reference stays without
  }
}

void NoiseMeasurement::confirm_by(const RunResults& moved) {
  const auto take = [this](std::size_t call, const NamedTensor& output,
                           const ScaleProfile& changes) {
    const auto doubt = doubtful_[call].find(output.name);
    if (doubt != doubtful_[call].end() && greatest_error(changes) >= a_like_amount * doubt->second)
      doubtful_[call].erase(doubt);
  };
  for_each_change(reference_, moved, take);
}

} // namespace model_validator::verify
