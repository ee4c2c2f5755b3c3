#pragma once

#include "connected_graph/stored_weights.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

class ByteSource;

/// All bytes of a tensor, which must fit into memory.
/// @param source  of many tensors, so that their file is opened once
/// @throws Error (`truncated-file`)
std::string stored_bytes(const StoredWeights& weights, ByteSource& source);

constexpr std::uint64_t max_numbers_read = std::uint64_t{1} << 24;

/// The numbers of a tensor, row after row. None where elements of its dtype are not read, where
/// they do not lie row after row, or where there are more than `max_numbers`.
/// @throws Error (`truncated-file`)
std::optional<std::vector<double>> numbers_of(const StoredWeights& weights, ByteSource& source,
                                              std::uint64_t max_numbers = max_numbers_read);
/// The same of one tensor.
std::optional<std::vector<double>> numbers_of(const StoredWeights& weights,
                                              std::uint64_t max_numbers = max_numbers_read);

} // namespace model_validator
