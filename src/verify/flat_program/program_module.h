#pragma once

#include "verify/flat_program/program_inputs.h"

#include <model_validator/graph_builder.h>
#include <model_validator/graph_reader.h>

#include <torch/csrc/jit/api/module.h>

#include <filesystem>
#include <memory>

namespace model_validator::verify {

/// A program of torch.export that LibTorch runs.
struct ProgramModule {
  torch::jit::Module module; ///< its `forward` is one flat graph; weights are attributes
  std::shared_ptr<const ProgramInputs> inputs;
  /// The graph that every command shows. Nodes of `forward` have the names of its ops; empty
  /// without code.
  GraphBuilder graph;
};

/// How much of a program is read.
enum class ProgramContent {
  declaration, ///< what `forward` takes; such a module must not be run
  shapes,      ///< code and weights, but floating-point weights without their values
  all
};

/// Writes the program of a `.pt2` file as a module. Runs nothing of it.
/// @throws Error for a file that cannot be read, and for a program that cannot be run
ProgramModule load_program(const std::filesystem::path& file, const ReadOptions& options,
                           ProgramContent content);

} // namespace model_validator::verify
