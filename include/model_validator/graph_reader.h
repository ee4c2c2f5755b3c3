#pragma once

#include <model_validator/connected_graph.h>

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// Looks at the first bytes and, for a zip, at its directory.
/// @throws Error for a file that is missing, empty, truncated, a Git LFS pointer, a `state_dict`, a
/// pickle…, naming what it is
FileFormat recognise(const std::filesystem::path& file);

/// How a model is read.
struct ReadOptions {
  std::vector<std::filesystem::path> operator_libraries; ///< `--op-library`
  std::size_t max_ops = 5'000'000;                       ///< larger graphs are rejected
  bool file_operators = true; ///< fill in `file_operators` of the graph, and all of its
                              ///< `file_nodes`, not one of those that are alike: only target
                              ///< verdicts need them, and inlining costs as much as the graph
  bool identity = false;      ///< note what `Model::structural_hash` covers beside the graph
};

/// Reads a model of any known format. Nothing of the model is run and no weights are read.
/// @throws Error
ConnectedGraph read_graph(const std::filesystem::path& file, const ReadOptions& options = {});

} // namespace model_validator
