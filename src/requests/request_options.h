#pragma once

#include "files/process/model_reading.h"
#include "options/option.h"

#include <model_validator/trace.h>
#include <model_validator/verify/inputs.h>

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
  visitor.option({"sandbox",
                  "MODE",
                  "confine the process that reads a model: auto (as far as the system allows), "
                  "require (or refuse to read), off (default: auto)",
                  {"auto", "require", "off"}},
                 sandbox);
}

inline void describe_limits(OptionVisitor& visitor, ReadingLimits& limits) {
  describe_sandbox(visitor, limits.sandbox);
  visitor.option({"max-memory",
                  "MB",
                  "megabytes of memory that reading a model may take, besides the file",
                  {},
                  Bounds{1, 16 << 20}},
                 limits.max_memory);
  visitor.option({"max-cpu",
                  "S",
                  "seconds of processor time that reading a model may take",
                  {},
                  Bounds{1, 1'000'000}},
                 limits.max_cpu);
  visitor.option(
      {"timeout", "S", "seconds that a model may take, from start to end", {}, Bounds{0.001, 1e6}},
      limits.timeout);
}

/// A model's inputs.
struct InputChoice {
  verify::InputOptions inputs;
  std::optional<std::string> range; ///< `LOW..HIGH`
  std::optional<std::size_t> samples;
  std::size_t usual_samples = 1; ///< where the user gives no number
  std::string about_samples = "number of sets of random values (default: 1)";

  /// With the range read. @throws Error (`bad-input-spec`, `no-libtorch`, `usage` where an option
  /// of random values is given though there are none)
  verify::InputOptions complete() const;
};

/// Where inputs come from.
/// @param what  an input is described by
inline void describe_sources(OptionVisitor& visitor, verify::InputOptions& inputs,
                             const char* what) {
  visitor.option({"input", "SPEC", what, {}, {}, Option::Lists::one_each, "inputs"}, inputs.specs);
  visitor.option({"inputs",
                  "FILE",
                  "inputs from a file (.npz, .npy, saved tensors) or a folder of them",
                  {},
                  {},
                  Option::Lists::one_each,
                  "input-files"},
                 inputs.files);
}

inline void describe_inputs(OptionVisitor& visitor, InputChoice& choice) {
  auto& inputs = choice.inputs;
  describe_sources(visitor, inputs,
                   "an input of random values, one `--input` for each: "
                   "name=1x3x224x224:float32:0..1; name, dtype and range may be left out");
  visitor.option({"seed", "N", "the seed of random values"}, inputs.seed);
  visitor.option({"samples", "N", choice.about_samples, {}, Bounds{1, 10'000}}, choice.samples);
  visitor.option({"sizes",
                  "DIMENSION=N,N",
                  "sizes that a dimension of an input is tried with: x.0=1,2,7; for several inputs "
                  "x.0,y.0=1,2,7",
                  {},
                  {},
                  Option::Lists::one_each},
                 inputs.sizes);
  visitor.option({"range", "LOW..HIGH", "range of random values, for inputs that give none"},
                 choice.range);
}

/// Inputs of which the shapes count, not the values.
inline void describe_shapes(OptionVisitor& visitor, verify::InputOptions& inputs) {
  describe_sources(
      visitor, inputs,
      "the shape of an input, one `--input` for each: name=1x3x224x224:float32; name and dtype may "
      "be left out");
}

/// The same for who traces a model if inputs are given, and otherwise does not run it.
struct TraceChoice {
  InputChoice inputs;
  bool values = false;
  std::size_t max_steps = TraceOptions().max_steps;

  /// Nothing where no inputs are given. @throws Error (`usage`) for values to be run without
  /// inputs; (`bad-input-spec`, `no-libtorch`)
  std::optional<TraceOptions> options() const;
};

inline void describe_trace(OptionVisitor& visitor, TraceChoice& choice) {
  describe_inputs(visitor, choice.inputs);
  visitor.option({"run-values", "",
                  "run the model for real where its shapes depend on values; without it, inputs "
                  "only give shapes"},
                 choice.values);
  visitor.option(
      {"max-steps", "N", "stop a run after this many operators and loop iterations (0: never)"},
      choice.max_steps);
}

} // namespace model_validator
