#pragma once

#include "connected_graph/torchscript/file/stated_values.h"

#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::torchscript {

/// How a TorchScript file is loaded.
struct LoadOptions {
  /// Shared libraries that register operators, loaded first. They run their own code: the user
  /// names them, never the file.
  std::vector<std::filesystem::path> operator_libraries;
  /// Run the `__setstate__` methods of the file, as `torch::jit::load` does. That is code of the
  /// model: leave it off for files that are not trusted.
  bool run_setstate = false;
  /// Serve weights from a private mapping of the file, so that they cost nothing until they are
  /// read. A file that is truncated while its mapping is read raises SIGBUS. Linting never reads
  /// them; callers that compute on weights of a file that others may change turn this off.
  bool map_weights = true;
};

/// A module as the file holds it, with its weights.
struct LoadedFile {
  torch::jit::Module module;
  std::string producer; ///< `pytorch, file format 3`
  std::uint64_t file_bytes = 0;
  std::uint64_t format_version = 0; ///< of the TorchScript archive
  bool has_sparse_tensors = false;  ///< with indices that nobody has checked: not to compute with
  /// Quantized modules and packed parameters. Their attributes are None, but those that
  /// `__setstate__` would copy from the state.
  UnsetObjects unset_objects;
};

/// Setup that every file needs, once per process: upgraders for code of older file formats, and
/// operators that check their arguments. Loading a file also does it.
void prepare_loading();

/// Loads a TorchScript file. Needs deep recursion inside LibTorch: call it through
/// `with_large_stack`.
/// @throws Error
LoadedFile load_file(const std::filesystem::path& file, const LoadOptions& options = {});

} // namespace model_validator::torchscript
