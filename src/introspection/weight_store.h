#pragma once

#include "connected_graph/stored_weights.h"

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// The tensors of a model file in the order in which the file declares them. No weights are read.
/// @throws Error (`missing-weights`, and those of the readers)
std::vector<StoredWeights> list_weights(const std::filesystem::path& file);

/// The floating tensors of a model file by name, with their dtype: those of integers may be left
/// out. Tensors whose bytes have a special form have no dtype. No weights are read.
/// @throws Error (`missing-weights`, and those of the readers)
std::vector<StoredWeights> list_named_weights(const std::filesystem::path& file);

/// For each named tensor of a zip which of the weights it is: its name, dtype, sizes and strides,
/// and where its bytes lie in which entry. Sorted. @throws Error, as above
std::vector<std::string> places_of_weights(const std::filesystem::path& file,
                                           const std::vector<StoredWeights>& weights);

/// For each tensor 32 hexadecimal digits that stand for its bytes, which are read once, on
/// `threads` threads (0: one per core). @throws Error (`truncated-file`, `damaged-zip`)
std::vector<std::string> hash_weights(const std::vector<StoredWeights>& weights,
                                      unsigned threads = 0);

} // namespace model_validator
