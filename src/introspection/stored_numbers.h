#pragma once

#include "connected_graph/stored_weights.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// All bytes of a tensor, which must fit into memory. @throws Error (`truncated-file`)
std::string stored_bytes(const StoredWeights& weights);

/// The numbers of a tensor, row after row. None where elements of its dtype are not read, where
/// they do not lie row after row, or where there are more than `max_numbers`.
/// @throws Error (`truncated-file`)
std::optional<std::vector<double>> numbers_of(const StoredWeights& weights,
                                              std::uint64_t max_numbers = std::uint64_t{1} << 24);

} // namespace model_validator
