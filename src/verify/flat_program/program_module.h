#pragma once

#include "verify/flat_program/program_inputs.h"

#include <torch/csrc/jit/api/module.h>

#include <filesystem>
#include <memory>

namespace model_validator::verify {

/// A program of torch.export that LibTorch runs.
struct ProgramModule {
  torch::jit::Module module; ///< its `forward` is one flat graph; weights are attributes
  std::shared_ptr<const ProgramInputs> inputs;
};

enum class ProgramValues {
  absent, ///< enough to know what `forward` takes; such a module must not be run
  read
};

/// Writes the program of a `.pt2` file as a module. Runs nothing of it.
/// @throws Error for a file that cannot be read, and for a program that cannot be run
ProgramModule load_program(const std::filesystem::path& file, ProgramValues values);

} // namespace model_validator::verify
