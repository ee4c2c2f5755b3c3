#pragma once

#include <model_validator/graph_reader.h>
#include <model_validator/partition/manifest.h>
#include <model_validator/partition/plan.h>
#include <model_validator/verify/inputs.h>

#include <filesystem>
#include <memory>

namespace model_validator::partition {

/// How to open a model that is going to be divided.
struct OpenOptions {
  ReadOptions read;
  /// The inputs the model is divided for: shapes decide branches, and an input that is not given
  /// keeps its default. Without specifications and files there are no inputs.
  verify::InputOptions inputs;
  bool weights = false; ///< subgraphs will be written: weights are read, and code of the file that
                        ///< unpacks them is run
};

/// A model that can be cut into subgraphs.
class PartitionableModel {
public:
  virtual ~PartitionableModel() = default;
  /// The graph that every other command shows, except that an op in an unrolled loop appears once
  /// for each iteration, `conv2d_5[3]`; `constraints` says which ops leave nothing to run.
  virtual const ConnectedGraph& graph() const = 0;
  virtual const Constraints& constraints() const = 0;
  /// Writes each partition as a file into an existing folder: of the model's own format, or
  /// TorchScript for a torch.export program.
  /// @param plan  made from this graph
  /// @throws Error (`cannot-divide`, `cannot-write`)
  virtual Manifest write_subgraphs(const Plan& plan, const std::filesystem::path& folder) const = 0;
};

/// Opens a model file; if its subgraphs cannot be written, only the graph.
/// @throws Error
std::unique_ptr<PartitionableModel> open_partitionable(const std::filesystem::path& file,
                                                       const OpenOptions& options);

} // namespace model_validator::partition
