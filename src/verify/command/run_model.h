#pragma once

#include "verify/command/model_file.h"
#include "verify/command/results.h"
#include "verify/run/narrowing.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

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
};

/// Compiles and runs every sample twice, each time from the state that the file holds; reports when
/// inputs were changed or results differ between the two runs. Computes with LibTorch: for a
/// process of its own. @returns one result per call, those of a sample together
RunResults run_model(const ModelRun& run, const std::vector<std::vector<c10::IValue>>& samples);

/// The same model in float64, by the interpreter.
RunResults run_in_float64(const torch::jit::Module& module,
                          const std::vector<std::vector<c10::IValue>>& samples, std::size_t steps);

/// The same model with its weights and results rounded. @param seed  0: to the nearest
RunResults run_narrowed(const torch::jit::Module& module, const Narrowing& narrowing,
                        std::uint64_t seed, const std::vector<std::vector<c10::IValue>>& samples,
                        std::size_t steps);

} // namespace model_validator::verify
