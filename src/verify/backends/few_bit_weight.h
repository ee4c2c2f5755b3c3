#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A tensor that a file stores in few bits, as it is used.
struct FewBitWeight {
  std::string layer;               ///< the node that reads it
  std::string name;                ///< of the stored tensor
  std::vector<std::int64_t> sizes; ///< as `numbers` lie
  std::vector<float> numbers;
  std::vector<float> steps;      ///< of each, the distance to its neighbours
  std::vector<std::int8_t> ends; ///< −1 or 1 where it is the least or the greatest that there is
  /// Stored in float, and moved by no more than some steps, as quantisers move a bias to make up
  /// for what rounding does to an average.
  bool is_moved = false;

  std::int64_t rows() const { return sizes.empty() ? 1 : sizes.front(); }
  std::int64_t columns() const {
    const auto count = static_cast<std::int64_t>(numbers.size());
    return rows() == 0 ? 0 : count / rows();
  }
};

/// What to store in place of a weight: as many numbers; empty to leave its own.
using FindOwnWeight = std::function<std::vector<float>(const FewBitWeight&)>;

} // namespace model_validator::verify
