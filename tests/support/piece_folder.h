#pragma once

#include "partition/piece_folder.h"

namespace model_validator::test {

/// Divides a model into a folder, as `partition --emit` does.
inline void write_piece_folder(const partition::Divisible& model, const partition::Plan& plan,
                               const std::filesystem::path& place, bool replace) {
  partition::NewPieceFolder folder(place, replace);
  partition::write_pieces(model, plan, folder.path());
  folder.put_in_place();
}

} // namespace model_validator::test
