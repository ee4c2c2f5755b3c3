#pragma once

#include "verify/run/narrowing.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// The weight of a layer that is stored in whole numbers of few bits, as it is multiplied.
struct FewBitWeight {
  std::string layer;               ///< the node that reads it
  std::int64_t rows, columns;      ///< outputs, and what each sums over
  std::vector<float> numbers = {}; ///< row by row
  Narrowing how = {};
};

/// What to store in place of each of a file's weights: as many numbers; empty to leave it.
using FindOwnWeights =
    std::function<std::vector<std::vector<float>>(const std::vector<FewBitWeight>&)>;

struct RestoredFile {
  std::filesystem::path path;
  bool is_complete = false; ///< nothing in it is stored in few bits any more
};

/// Writes a copy of an ONNX file whose weights alone are in few bits, with others in their place.
/// @throws Error (`backend-refused`) where its weights lie in other files
RestoredFile write_restored_onnx(const std::filesystem::path& model,
                                 const std::filesystem::path& folder,
                                 const FindOwnWeights& find_own);

} // namespace model_validator::verify
