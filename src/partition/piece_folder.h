#pragma once

#include <model_validator/partition/divisible.h>

#include <filesystem>

namespace model_validator::partition {

/// A folder of pieces in the making, beside the place where it is to appear when it is complete.
/// It is removed unless it is put in its place.
class NewPieceFolder {
public:
  /// @param replace  a folder of pieces that is there already is replaced. One that holds anything
  /// but pieces never is.
  /// @throws Error (`already-there`, `cannot-write`)
  NewPieceFolder(const std::filesystem::path& folder, bool replace);
  ~NewPieceFolder();
  NewPieceFolder(const NewPieceFolder&) = delete;
  NewPieceFolder& operator=(const NewPieceFolder&) = delete;

  /// Where the pieces are to be written.
  const std::filesystem::path& path() const noexcept { return path_; }
  /// @throws Error (`cannot-write`)
  void put_in_place();

private:
  std::filesystem::path place_;
  std::filesystem::path path_;
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
