#pragma once

#include "connected_graph/stored_weights.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>
#include <model_validator/partition/partitionable_model.h>
#include <model_validator/trace.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// What the program does with the files of one format. Unsupported functions throw an Error that
/// says so. Declared apart from the table (src/formats), which knows every front end.
struct Format {
  FileFormat format;
  const char* run_by; ///< the backend that runs a file directly; null for none

  ConnectedGraph (*read)(const std::filesystem::path& file, const ReadOptions& options);
  TracedGraph (*trace)(const std::filesystem::path& file, const TraceOptions& trace,
                       const ReadOptions& options);
  std::unique_ptr<partition::PartitionableModel> (*divide)(const std::filesystem::path& file,
                                                           const partition::OpenOptions& options);
  /// Its tensors in the order in which the file declares them.
  std::vector<StoredWeights> (*list_weights)(const std::filesystem::path& file);
  /// Its floating tensors by name.
  std::vector<StoredWeights> (*list_named_weights)(const std::filesystem::path& file);
  /// All its tensors by name, where `list_weights` lists entries of a zip instead; else nothing.
  std::vector<StoredWeights> (*list_placed_weights)(const std::filesystem::path& file);
};

/// The row of a format.
const Format& format_of(FileFormat format);
/// The row of a file's format. @throws Error (those of `recognise`)
const Format& format_of(const std::filesystem::path& file);

/// What to say of a folder that is a model itself, as those of Core ML and TensorFlow are; nothing
/// for any other.
std::optional<Error> known_folder(const std::filesystem::path& folder);

} // namespace model_validator
