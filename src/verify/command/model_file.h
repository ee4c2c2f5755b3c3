#pragma once

#include "verify/backends/onnx_model.h"
#include "verify/flat_program/program_inputs.h"

#include <model_validator/connected_graph.h>
#include <model_validator/graph_reader.h>
#include <model_validator/verify/backend.h>
#include <model_validator/verify/inputs.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A model that can be run, as far as its file is read before it runs.
struct ModelFile {
  std::filesystem::path path;
  FileFormat format = FileFormat::unknown;
  /// Of a TorchScript file or a torch.export program, in the process that read it.
  std::optional<torch::jit::Module> module;
  std::vector<InputNeed> needs;                 ///< empty for an AOTInductor package
  ReadOptions options;                          ///< that it was read with
  std::shared_ptr<const ProgramInputs> program; ///< what a torch.export program demands of inputs
  bool names_gpu = false;                       ///< in its code, as a trace that was made on one
  std::size_t calls_to_come_round = 0;          ///< of the state that it keeps; 0: not known
  SharedOnnxModel onnx = {};                    ///< of a file of ONNX, or what is run in its place

  bool is_torchscript() const { return format == FileFormat::torchscript; }
  /// Whether LibTorch runs it, as a module.
  bool is_module() const { return is_torchscript() || format == FileFormat::exported_program; }
  /// The backend that runs a file of this format as it is.
  std::string own_backend() const;
  BackendInput backend_input(const std::vector<std::string>& input_names) const;
};

/// Ready to run. Runs code of the file: its `__setstate__` methods. @throws Error for a file that
/// cannot be read, or cannot be run
ModelFile open_model(const std::filesystem::path& file, const ReadOptions& options);

/// As far as it is declared: no code of the file runs and no weights are read, so a module only
/// shows its methods and what they take, and must not be run. `open_declared` makes it ready to
/// run. The subgraphs of a folder that `partition --emit` wrote are checked to belong together.
/// @param graph  of the file, where it was read
ModelFile declare_model(const std::filesystem::path& file, const ReadOptions& options,
                        const ConnectedGraph* graph = nullptr);

/// Of the graph only the names are wanted.
ReadOptions named_by_graph(ReadOptions options);

/// In how many calls it shows what becomes of state that it may keep; 1 where it keeps none.
std::size_t calls_of_state(const ModelFile& model);

/// In the process that is to run it.
ModelFile open_declared(const ModelFile& declared);

} // namespace model_validator::verify
