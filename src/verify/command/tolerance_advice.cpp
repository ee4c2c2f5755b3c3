#include "verify/command/tolerance_advice.h"

#include "verify/compare/words.h"

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

const NoiseFloor* floor_of(const OutputReport& output, std::size_t steps,
                           const SampleFloors& floors) {
  const std::size_t call = output.sample * steps + output.step - 1;
  if (call >= floors.size()) return nullptr;
  const auto found = floors[call].find(output.name);
  return found == floors[call].end() ? nullptr : &found->second;
}

/// For a reference that is zero everywhere, there is no relative error.
ToleranceAdvice advice_for(const OutputReport& output) {
  const Metrics& metrics = *output.metrics;
  const bool has_scale = metrics.reference_max > 0;
  const double scale = has_scale ? metrics.reference_max : 1;
  const double error = metrics.max_abs / scale, noise = output.noise.value_or(0) / scale;
  ToleranceAdvice advice{
      output.name, "",
      "differs by " + short_number(error) +
          (has_scale ? " of the largest value" : " from a reference that is zero everywhere")};
  if (noise > 0)
    advice.message += ", " + short_number(error / noise) +
                      " times the reference's own rounding noise of " + short_number(noise);
  if (output.passed() || (fails_by_size_alone(output) && error <= explained_by_noise * noise))
    advice.flags = (has_scale ? "--rtol " : "--atol ") +
                   short_number(rounded_up(output.least_rtol.value_or(error)));
  else
    advice.message += output.noise ? ": rounding does not explain that, so no tolerance is offered"
                                   : "; no noise was measured, so no tolerance is offered";
  return advice;
}

} // namespace

void add_tolerance_advice(VerifyReport& report, const SampleFloors& floors) {
  for (OutputReport& output : report.outputs) {
    if (!output.metrics || !output.reference || output.reference->kind != "tensor") continue;
    const NoiseFloor* floor = floor_of(output, report.steps, floors);
    if (floor == nullptr || output.reference->dtype.find("float") == std::string::npos) continue;
    if (floor->changes) output.noise = greatest_error(*floor->changes);
    report.advice.push_back(advice_for(output));
  }
}

} // namespace model_validator::verify
