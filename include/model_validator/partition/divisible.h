#pragma once

#include <model_validator/graph_reader.h>
#include <model_validator/partition/manifest.h>
#include <model_validator/partition/plan.h>
#include <model_validator/verify/inputs.h>

#include <filesystem>
#include <memory>

namespace model_validator::partition {

/// How a model that is to be divided is opened.
struct OpenOptions {
  ReadOptions read;
  /// What the model is divided for: shapes decide branches, and what is not given keeps its
  /// default. None where there are no specifications nor files.
  verify::InputOptions inputs;
  bool weights = false; ///< subgraphs will be written: weights are read, and code of the file that
                        ///< unpacks them is run
};

/// A model that can be cut into subgraphs.
class Divisible {
public:
  virtual ~Divisible() = default;
  /// The graph that every other command shows, but that an op in a loop which is unrolled stands
  /// once for each round, `conv2d_5[3]`; `constraints` says which ops leave nothing to be run.
  virtual const ConnectedGraph& graph() const = 0;
  virtual const Constraints& constraints() const = 0;
  /// Writes each partition as a file of the model's own format into a folder that exists.
  /// @param plan  made of this graph
  /// @throws Error (`cannot-divide`, `cannot-write`)
  virtual Manifest write_subgraphs(const Plan& plan, const std::filesystem::path& folder) const = 0;
};

/// Opens a model file; of a format whose subgraphs cannot be written, the graph alone.
/// @throws Error
std::unique_ptr<Divisible> open_divisible(const std::filesystem::path& file,
                                          const OpenOptions& options);

} // namespace model_validator::partition
