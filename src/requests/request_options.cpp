#include "requests/request_options.h"

#include "libraries/verify_library.h"

#include <cmath>

namespace model_validator {

process::ReadingPolicy ReadingLimits::policy() const {
  process::ReadingPolicy policy;
  policy.sandbox = sandbox.value_or(process::SandboxMode::automatic);
  policy.max_memory = max_memory << 20U;
  policy.max_processor_time = std::chrono::seconds(max_cpu);
  if (timeout) policy.timeout = std::chrono::milliseconds(std::llround(*timeout * 1000));
  return policy;
}

verify::InputOptions InputChoice::complete() const {
  const std::string idle = range                   ? "range"
                           : !inputs.sizes.empty() ? "sizes"
                           : samples               ? "samples"
                                                   : "";
  if (!inputs.files.empty() && inputs.specs.empty() && !idle.empty())
    throw Error(ErrorKind::usage, "",
                "`--inputs` gives the values, so that `--" + idle + "` has nothing to change");
  verify::InputOptions options = inputs;
  options.samples = samples.value_or(usual_samples);
  if (range) options.range = verify_library().parse_range(*range);
  return options;
}

std::optional<TraceOptions> TraceChoice::options() const {
  if (values && !inputs.inputs.given())
    throw Error(ErrorKind::usage, "", "`--run-values` needs inputs to run the model with",
                "give them with `--input` or `--inputs`");
  if (!inputs.inputs.given()) return std::nullopt;
  return TraceOptions{inputs.complete(), values, max_steps};
}

} // namespace model_validator
