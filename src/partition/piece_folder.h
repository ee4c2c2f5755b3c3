#pragma once

#include "report/new_folder.h"

#include <model_validator/partition/divisible.h>

#include <filesystem>
#include <stop_token>

namespace model_validator::partition {

/// A folder of pieces in the making, beside the place where it is to appear when it is complete.
/// It is removed unless it is put in its place.
class NewPieceFolder {
public:
  /// @param replace  a folder of pieces that is there already is replaced. One that holds anything
  /// but pieces never is.
  /// @param stop  what has been written goes when a stop is asked for
  /// @throws Error (`already-there`, `cannot-write`)
  NewPieceFolder(const std::filesystem::path& folder, bool replace, std::stop_token stop = {});

  /// Where the pieces are to be written.
  const std::filesystem::path& path() const noexcept { return folder_.path(); }
  /// @throws Error (`cannot-write`)
  void put_in_place() { folder_.put_in_place(); }

private:
  NewFolder folder_;
};

/// Writes the pieces of a model and `manifest.json` into a folder.
/// @throws Error (`cannot-write`, `cannot-divide`)
Manifest write_pieces(const Divisible& model, const Plan& plan,
                      const std::filesystem::path& folder);

/// Reads the manifest of a folder of pieces and holds the pieces against it.
/// @throws Error (`not-found`, `damaged-manifest`, `changed-piece`, or what keeps a piece from
/// being read)
Manifest read_piece_folder(const std::filesystem::path& folder);

} // namespace model_validator::partition
