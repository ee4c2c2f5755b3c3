#pragma once

#include "verify/command/model_file.h"
#include "verify/command/results.h"
#include "verify/run/execution.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What a call takes that is not the first of its sample. @param step  from 1
/// @param outputs  of the call before
using NextCall = std::function<std::vector<c10::IValue>(std::size_t sample, std::size_t step,
                                                        const NamedTensors& outputs)>;

/// A run of a model by a backend.
struct ModelRun {
  const ModelFile* model = nullptr;
  std::string backend;
  BackendOptions options;
  std::vector<std::string> input_names;
  /// Calls of each sample; each continues from the state that the one before left. None: several if
  /// a call changes the state of the module.
  std::optional<std::size_t> steps;
  /// The seed of the random numbers in each call; none: they continue.
  std::optional<std::uint64_t> random_seed = {};
  /// Whether a sample that the model does not run with is noted, and the others still run.
  bool tolerant = false;
  NextCall next = {};         ///< none: every call of a sample takes the same
  bool is_rerun = false;      ///< of a changed model, of which only the outputs are of interest
  bool records_forks = false; ///< whether what it meets on its way is of interest
};

/// Compiles and runs every sample from the state that the file holds: twice, and reports when
/// inputs were changed or results differ between the two runs; in a rerun once. Computes with
/// LibTorch: for a process of its own.
/// @param failed  samples that are not run, because the model does not take them
/// @returns one result per call, those of a sample together
RunResults run_model(const ModelRun& run, const std::vector<std::vector<c10::IValue>>& samples,
                     const std::vector<FailedSample>& failed = {});

/// How a model computes in another precision: `float64_execution`.
using MakeExecution = std::function<std::unique_ptr<Execution>()>;
/// By the interpreter, with a fresh state for each sample.
RunResults interpret(const torch::jit::Module& module, const MakeExecution& execution,
                     const std::vector<std::vector<c10::IValue>>& samples, std::size_t steps,
                     const NextCall& next);

} // namespace model_validator::verify
