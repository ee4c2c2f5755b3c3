#include "cli/input_options.h"

#include "libraries/verify_library.h"

#include <model_validator/error.h>

#include <CLI/CLI.hpp>

namespace model_validator::cli {
namespace {

constexpr const char* inputs_group = "Inputs";

} // namespace

verify::InputOptions InputChoice::complete() const {
  verify::InputOptions options = inputs;
  if (!range.empty()) options.range = verify_library().parse_range(range);
  return options;
}

void add_input_options(CLI::App& app, InputChoice& choice) {
  auto& inputs = choice.inputs;
  app.add_option("--input", inputs.specs,
                 "an input of random values: name=1x3x224x224:float32:0..1; name, dtype and range "
                 "may be left out")
      ->allow_extra_args(false)
      ->type_name("SPEC")
      ->group(inputs_group);
  app.add_option("--inputs", inputs.files,
                 "inputs from a file (.npz, .npy, saved tensors) or a folder of them")
      ->allow_extra_args(false)
      ->type_name("FILE")
      ->group(inputs_group);
  app.add_option("--seed", inputs.seed, "the seed of random values")
      ->type_name("N")
      ->capture_default_str()
      ->group(inputs_group);
  app.add_option("--samples", inputs.samples, "number of sets of random values")
      ->type_name("N")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str()
      ->group(inputs_group);
  app.add_option("--sizes", inputs.sizes,
                 "sizes that a dimension of an input is tried with: x.0=1,2,7; for several inputs "
                 "x.0,y.0=1,2,7")
      ->allow_extra_args(false)
      ->type_name("DIMENSION=N,N")
      ->group(inputs_group);
  app.add_option("--range", choice.range, "range of random values, for inputs that give none")
      ->type_name("LOW..HIGH")
      ->group(inputs_group);
}

std::optional<TraceOptions> TraceChoice::options() const {
  if (inputs.inputs.given())
    return TraceOptions{inputs.complete(), values, max_steps};
  if (values)
    throw Error(ErrorKind::usage, "", "`--run-values` needs inputs to run the model with",
                "give them with `--input` or `--inputs`");
  return std::nullopt;
}

void add_trace_options(CLI::App& app, TraceChoice& choice) {
  add_input_options(app, choice.inputs);
  app.add_flag("--run-values", choice.values,
               "run the model for real where its shapes depend on values; without it, inputs only "
               "give shapes")
      ->group(inputs_group);
  app.add_option("--max-steps", choice.max_steps,
                 "stop a run after this many operators and loop iterations (0: never)")
      ->type_name("N")
      ->capture_default_str()
      ->group(inputs_group);
}

} // namespace model_validator::cli
