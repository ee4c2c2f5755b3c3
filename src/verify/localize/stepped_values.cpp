#include "verify/localize/stepped_values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace model_validator::verify {
namespace {

constexpr double nothing_left = -1000; ///< dB, of a result that has nothing of the reference's
constexpr std::size_t max_levels = 256;
constexpr double max_unstepped_share = 0.01; ///< of the values

double ratio_of(double signal, double noise) {
  if (noise == 0) return std::numeric_limits<double>::infinity();
  const double ratio = 10 * std::log10(signal / noise);
  return std::isfinite(ratio) ? ratio : nothing_left;
}

/// The smallest distance between two levels; 0 where there are more levels than steps of eight bits
/// have.
double step_of(std::vector<float> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() < 2 || values.size() > max_levels) return 0;
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < values.size(); ++i)
    step = std::min(step, static_cast<double>(values[i]) - values[i - 1]);
  return step;
}

/// Whether values that differ in the reference have become one value, beside others that are so
/// much larger that they took all steps, as a mask of the least float32 does.
bool is_lost(const std::vector<float>& reference, const std::vector<float>& values) {
  constexpr float much_larger = 1e6F;
  constexpr std::size_t fewest = 8, one_in = 4;
  float largest = 0;
  for (const float value : reference) largest = std::max(largest, std::fabs(value));
  std::vector<float> before, after;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (reference[i] != 0 && std::fabs(reference[i]) < largest / much_larger) {
      before.push_back(reference[i]);
      after.push_back(values[i]);
    }
  if (before.size() < std::max(fewest, values.size() / one_in)) return false;
  const auto varies = [](const std::vector<float>& numbers) {
    return std::ranges::adjacent_find(numbers, std::not_equal_to()) != numbers.end();
  };
  return varies(before) && !varies(after);
}

/// Values at an end of the steps where the reference's lie beyond it.
std::vector<bool> clipped(const std::vector<float>& reference, const std::vector<float>& values) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  std::vector<bool> found(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    found[i] = (values[i] == *least && reference[i] < *least) ||
               (values[i] == *greatest && reference[i] > *greatest);
  const auto count = static_cast<double>(std::ranges::count(found, true));
  return count <= max_unstepped_share * static_cast<double>(found.size())
             ? found
             : std::vector<bool>(found.size());
}

} // namespace

double sqnr(const Sketch& reference, const Sketch& candidate) {
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < std::min(reference.samples.size(), candidate.samples.size()); ++i) {
    const double value = reference.samples[i], difference = value - candidate.samples[i];
    signal += value * value;
    noise += difference * difference;
  }
  return ratio_of(signal, noise);
}

bool has_signal(const Sketch& reference) {
  double signal = 0;
  for (const double value : reference.samples) signal += value * value;
  return signal > 0 && std::isfinite(signal);
}

double joint_sqnr(double one, double other) {
  return ratio_of(1, std::pow(10, -one / 10) + std::pow(10, -other / 10));
}

SteppedRatio stepped_ratio(const Sketch& reference, const Sketch& candidate) {
  const auto expected = single_values(reference), values = single_values(candidate);
  const double step = expected.size() == values.size() ? step_of(values) : 0;
  if (step == 0) return {sqnr(reference, candidate), std::numeric_limits<double>::infinity()};
  const auto left_out = clipped(expected, values);
  double signal = 0, noise = 0, rounding = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (left_out[i]) continue;
    const double value = expected[i], difference = value - values[i];
    signal += value * value;
    noise += difference * difference;
    rounding += step * step / 12; // the mean square of an error between -1/2 and 1/2 of a step
  }
  return {ratio_of(signal, noise), ratio_of(signal, rounding), is_lost(expected, values)};
}

SteppedRatio ratio_in_steps(const at::Tensor& value, const ValueSteps& steps) {
  constexpr double widest = 4; // ranges are those of other data
  const at::Tensor exact = value.to(at::kDouble);
  const at::Tensor stored = ((exact / steps.scale).round() + steps.zero_point)
                                .clamp(steps.least, steps.greatest)
                                .sub(steps.zero_point)
                                .mul(steps.scale);
  const auto ratio = stepped_ratio(sketch_of(exact), sketch_of(stored));
  const double needed =
      std::max(0.0, exact.max().item<double>()) - std::min(0.0, exact.min().item<double>());
  const double step = std::min(steps.scale, widest * needed / (steps.greatest - steps.least));
  return {ratio.kept, ratio_of(exact.square().mean().item<double>(), step * step / 12),
          ratio.is_lost};
}

} // namespace model_validator::verify
