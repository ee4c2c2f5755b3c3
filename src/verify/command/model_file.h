#pragma once

#include <model_validator/graph_reader.h>
#include <model_validator/verify/backend.h>
#include <model_validator/verify/inputs.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A model that can be run, as far as its file is read before it runs.
struct ModelFile {
  std::filesystem::path path;
  FileFormat format = FileFormat::unknown;
  std::optional<torch::jit::Module> module; ///< of a TorchScript file
  std::vector<InputNeed> needs;             ///< empty for an AOTInductor package

  /// The backend that runs a file of this format as it is.
  std::string own_backend() const;
  BackendInput backend_input(const std::vector<std::string>& input_names) const;
};

/// @throws Error for what cannot be read, or cannot be run
ModelFile open_model(const std::filesystem::path& file, const ReadOptions& options);

/// The same, or a folder of pieces that `partition --emit` wrote.
ModelFile open_candidate(const std::filesystem::path& file, const ReadOptions& options);

} // namespace model_validator::verify
