#include "verify/command/tolerance_advice.h"

#include <model_validator/verify/metrics.h>

#include <cmath>
#include <cstdio>

namespace model_validator::verify {
namespace {

std::string short_number(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", number);
  return text;
}

/// Two digits, never below the number itself.
double rounded_up(double number) {
  if (number <= 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(number)) - 1);
  return std::ceil(number / unit) * unit;
}

/// For a reference that is zero everywhere, there is no relative error.
ToleranceAdvice advice_for(const OutputReport& output) {
  const auto& metrics = *output.metrics;
  const bool has_scale = metrics.reference_max > 0;
  const double scale = has_scale ? metrics.reference_max : 1;
  const double error = metrics.max_abs / scale;
  ToleranceAdvice advice{
      output.name, (has_scale ? "--rtol " : "--atol ") + short_number(rounded_up(error)),
      "differs by " + short_number(error) +
          (has_scale ? " of the largest value" : " from a reference that is zero everywhere")};
  const double noise = output.noise.value_or(0) / scale;
  if (noise > 0)
    advice.message += ", " + short_number(error / noise) +
                      " times the reference's own rounding noise of " + short_number(noise);
  return advice;
}

} // namespace

std::optional<ReferenceNoise> noise_of(const Tensor& reference, const Tensor& float64) {
  if (!is_floating(reference.view.dtype) || reference.view.shape != float64.view.shape) return {};
  const auto metrics = measure(float64.view, reference.view);
  return ReferenceNoise{metrics.max_abs, metrics.reference_max};
}

void add_tolerance_advice(VerifyReport& report, const RunResults& reference,
                          const RunResults& float64) {
  std::vector<std::size_t> next(reference.samples.size(), 0);
  for (auto& output : report.outputs) {
    if (output.sample >= reference.samples.size() || output.sample >= float64.samples.size())
      continue;
    const auto index = next[output.sample]++;
    const auto& expected = reference.samples[output.sample];
    const auto& exact = float64.samples[output.sample];
    if (index >= expected.size() || index >= exact.size() || !output.metrics) continue;
    const auto noise = noise_of(expected[index].tensor, exact[index].tensor);
    if (!noise) continue;
    output.noise = noise->value;
    report.advice.push_back(advice_for(output));
  }
}

} // namespace model_validator::verify
