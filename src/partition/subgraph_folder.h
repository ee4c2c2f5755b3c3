#pragma once

#include "files/new_folder.h"

#include <model_validator/partition/partitionable_model.h>

#include <filesystem>
#include <set>
#include <stop_token>
#include <string>

namespace model_validator::partition {

/// A folder of subgraphs under construction, next to the place where the finished folder will
/// appear. It is removed unless it is put in its place.
class NewSubgraphFolder {
public:
  /// @param replace  an existing folder is replaced if it holds what its manifest lists, unchanged,
  /// and nothing else; a link to a folder is never followed
  /// @param stop  what has been written is removed when a stop is requested
  /// @throws Error (`already-there`, `cannot-write`)
  NewSubgraphFolder(const std::filesystem::path& folder, bool replace, std::stop_token stop = {});

  /// Where to write the subgraphs.
  const std::filesystem::path& path() const noexcept { return folder_.path(); }
  /// @throws Error (`cannot-write`)
  void put_in_place() { folder_.put_in_place(replaced_); }

private:
  /// Files that an existing folder holds, all of which this program has written there.
  std::set<std::string> replaced_;
  NewFolder folder_;
};

/// Writes the subgraphs of a model and `manifest.json` into a folder.
/// @throws Error (`cannot-write`, `cannot-divide`)
Manifest write_subgraphs(const PartitionableModel& model, const Plan& plan,
                         const std::filesystem::path& folder);

/// Reads the manifest of a folder of subgraphs and checks the subgraphs against it.
/// @throws Error (`not-found`, `damaged-manifest`, `changed-subgraph`, or the error of reading a
/// subgraph)
Manifest read_subgraph_folder(const std::filesystem::path& folder);

} // namespace model_validator::partition
