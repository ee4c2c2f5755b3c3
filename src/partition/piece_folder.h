#pragma once

#include <model_validator/partition/divisible.h>

#include <filesystem>

namespace model_validator::partition {

/// Writes the pieces of a model and `manifest.json` into a new folder, which appears when it is
/// complete.
/// @param replace  a folder of pieces that is there already is replaced. One that holds anything
/// but pieces never is.
/// @throws Error (`already-there`, `cannot-write`, `cannot-divide`)
Manifest write_piece_folder(const Divisible& model, const Plan& plan,
                            const std::filesystem::path& folder, bool replace);

/// Reads the manifest of a folder of pieces and holds the pieces against it.
/// @throws Error (`not-found`, `damaged-manifest`, `changed-piece`, or what keeps a piece from
/// being read)
Manifest read_piece_folder(const std::filesystem::path& folder);

} // namespace model_validator::partition
