#pragma once

#include "files/new_folder.h"

#include <model_validator/partition/divisible.h>

#include <filesystem>
#include <stop_token>

namespace model_validator::partition {

/// A folder of subgraphs in the making, beside the place where it is to appear when it is complete.
/// It is removed unless it is put in its place.
class NewSubgraphFolder {
public:
  /// @param replace  a folder of subgraphs that is there already is replaced. One that holds
  /// anything but subgraphs never is.
  /// @param stop  what has been written goes when a stop is asked for
  /// @throws Error (`already-there`, `cannot-write`)
  NewSubgraphFolder(const std::filesystem::path& folder, bool replace, std::stop_token stop = {});

  /// Where the subgraphs are to be written.
  const std::filesystem::path& path() const noexcept { return folder_.path(); }
  /// @throws Error (`cannot-write`)
  void put_in_place() { folder_.put_in_place(); }

private:
  NewFolder folder_;
};

/// Writes the subgraphs of a model and `manifest.json` into a folder.
/// @throws Error (`cannot-write`, `cannot-divide`)
Manifest write_subgraphs(const Divisible& model, const Plan& plan,
                         const std::filesystem::path& folder);

/// Reads the manifest of a folder of subgraphs and holds the subgraphs against it.
/// @throws Error (`not-found`, `damaged-manifest`, `changed-subgraph`, or what keeps a subgraph
/// from being read)
Manifest read_subgraph_folder(const std::filesystem::path& folder);

} // namespace model_validator::partition
