#pragma once

#include <cstdint>
#include <optional>

namespace model_validator::torchscript {

/// The values that a loop's counter takes: `start`, `start + step`, …
struct Progression {
  std::int64_t start = 0;
  std::int64_t step = 1;             ///< never 0
  std::optional<std::int64_t> count; ///< how many; nullopt if the trip count is unknown

  std::optional<std::int64_t> lowest() const;
  std::optional<std::int64_t> highest() const;
  /// Whether it can take a value.
  bool reaches(std::int64_t value) const;
};

enum class Comparison { equal, unequal, less, less_or_equal, greater, greater_or_equal };

/// The outcome of `progression comparison bound`, if it is the same in every iteration.
std::optional<bool> always(const Progression& progression, Comparison comparison,
                           std::int64_t bound);

/// The comparison with its operands exchanged: `a < b` is `b > a`.
Comparison mirrored(Comparison comparison);

} // namespace model_validator::torchscript
