#pragma once

#include "files/process/model_reading.h"
#include "options/option.h"
#include "requests/graph_request.h"
#include "requests/partition_request.h"

#include <model_validator/trace.h>

#include <cstdint>
#include <optional>
#include <string>

namespace model_validator::process {

inline void read_word(const std::string& word, SandboxMode& mode) {
  mode = sandbox_mode_from(word).value_or(SandboxMode::automatic);
}

} // namespace model_validator::process

namespace model_validator {

// Options that commands and calls have in common: each of them, with the variable that it sets.

/// The limits of the processes that read models.
struct ReadingLimits {
  std::optional<process::SandboxMode> sandbox; ///< none: as the configuration says, else `auto`
  std::uint64_t max_memory = 2048;             ///< megabytes
  std::uint64_t max_cpu = 60;                  ///< seconds
  std::optional<double> timeout;               ///< seconds

  process::ReadingPolicy policy() const;
};

inline void describe_sandbox(OptionVisitor& visitor, std::optional<process::SandboxMode>& sandbox) {
  visitor.option({.name = "sandbox",
                  .value = "MODE",
                  .help = "confine the process that reads a model: auto (as far as the system "
                          "allows), require (or refuse to read), off (default: auto)",
                  .words = {"auto", "require", "off"}},
                 sandbox);
}

inline void describe_limits(OptionVisitor& visitor, ReadingLimits& limits) {
  describe_sandbox(visitor, limits.sandbox);
  visitor.option({.name = "max-memory",
                  .value = "MB",
                  .help = "megabytes of memory that reading a model may take, besides the file",
                  .bounds = Bounds{1, 16 << 20}},
                 limits.max_memory);
  visitor.option({.name = "max-cpu",
                  .value = "S",
                  .help = "seconds of processor time that reading a model may take",
                  .bounds = Bounds{1, 1'000'000}},
                 limits.max_cpu);
  visitor.option({.name = "timeout",
                  .value = "S",
                  .help = "seconds that a model may take, from start to end",
                  .bounds = Bounds{0.001, 1e6}},
                 limits.timeout);
}

/// A model's inputs.
struct InputChoice {
  verify::InputOptions inputs;
  std::optional<std::string> range; ///< `LOW..HIGH`

  /// With the range read. @throws Error (`bad-input-spec`, `no-libtorch`)
  verify::InputOptions complete() const;
};

inline const Option input_files{
    .name = "inputs",
    .value = "FILE",
    .help = "inputs from a file (.npz, .npy, saved tensors) or a folder of them",
    .one_each = true,
    .call = "input-files"};

inline void describe_inputs(OptionVisitor& visitor, InputChoice& choice) {
  auto& inputs = choice.inputs;
  visitor.option({.name = "input",
                  .value = "SPEC",
                  .help = "an input of random values: name=1x3x224x224:float32:0..1; name, dtype "
                          "and range may be left out",
                  .one_each = true,
                  .call = "inputs"},
                 inputs.specs);
  visitor.option(input_files, inputs.files);
  visitor.option({.name = "seed", .value = "N", .help = "the seed of random values"}, inputs.seed);
  visitor.option({.name = "samples",
                  .value = "N",
                  .help = "number of sets of random values",
                  .bounds = Bounds{1, 10'000}},
                 inputs.samples);
  visitor.option({.name = "sizes",
                  .value = "DIMENSION=N,N",
                  .help = "sizes that a dimension of an input is tried with: x.0=1,2,7; for "
                          "several inputs x.0,y.0=1,2,7",
                  .one_each = true},
                 inputs.sizes);
  visitor.option({.name = "range",
                  .value = "LOW..HIGH",
                  .help = "range of random values, for inputs that give none"},
                 choice.range);
}

/// Inputs of which the shapes count, not the values.
inline void describe_shapes(OptionVisitor& visitor, verify::InputOptions& inputs) {
  visitor.option({.name = "input",
                  .value = "SPEC",
                  .help = "the shape of an input: name=1x3x224x224:float32; name and dtype may be "
                          "left out",
                  .one_each = true,
                  .call = "inputs"},
                 inputs.specs);
  visitor.option(input_files, inputs.files);
}

/// The same for who traces a model if inputs are given, and otherwise does not run it.
struct TraceChoice {
  InputChoice inputs;
  bool values = false;
  std::size_t max_steps = TraceOptions().max_steps;

  /// Nothing where no inputs are given. @throws Error (`bad-input-spec`, `no-libtorch`)
  std::optional<TraceOptions> options() const;
};

inline void describe_trace(OptionVisitor& visitor, TraceChoice& choice) {
  describe_inputs(visitor, choice.inputs);
  visitor.option({.name = "run-values",
                  .help = "run the model for real where its shapes depend on values; without it, "
                          "inputs only give shapes"},
                 choice.values);
  visitor.option({.name = "max-steps",
                  .value = "N",
                  .help = "stop a run after this many operators and loop iterations (0: never)"},
                 choice.max_steps);
}

inline void describe_division(OptionVisitor& visitor, PartitionRequest& request) {
  visitor.option({.name = "target",
                  .value = "NAME,...",
                  .help = "targets that ops can run on, preferred first; see `targets`"},
                 request.targets);
  visitor.option({.name = "profile", .value = "FILE", .help = "a target profile of your own"},
                 request.profiles);
  visitor.option({.name = "fallback",
                  .value = "FALLBACK",
                  .help =
                      "where ops that no target takes run: eager, ts, or none, which makes such "
                      "an op a finding",
                  .words = {"eager", "ts", no_fallback}},
                 request.plan.fallback);
  visitor.option({.name = "smallest",
                  .value = "N",
                  .help = "a target's partition with fewer ops falls back",
                  .bounds = Bounds{1, 1'000'000}},
                 request.plan.smallest);
  visitor.option({.name = "gains",
                  .value = "N",
                  .help = "for how many operators to work out what supporting them would gain",
                  .bounds = Bounds{0, 1000}},
                 request.plan.gains);
}

inline void describe_picture(OptionVisitor& visitor, DrawingOptions& drawing) {
  visitor.option({.name = "depth",
                  .value = "N",
                  .help = "in a picture, close the modules that many levels below the model "
                          "(default: as deep as stays readable)",
                  .bounds = Bounds{1, 1000}},
                 drawing.depth);
  visitor.option(
      {.name = "queries", .help = "in a picture, also show ops that only handle sizes and lists"},
      drawing.queries);
}

} // namespace model_validator
