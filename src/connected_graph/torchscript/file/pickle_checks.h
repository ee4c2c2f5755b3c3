#pragma once

#include "files/pickle.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace model_validator::torchscript {

/// Bytes of the storage with this key; nothing if the file has none.
using StorageBytes = std::function<std::optional<std::uint64_t>(std::string_view key)>;

/// Checks a pickle before LibTorch reads it: that it is complete, not nested or shared excessively,
/// and that its tensors are inside their storages, which LibTorch does not check.
/// @param file  for the Error
/// @throws Error (`damaged-file`, `too-deep`)
void check_pickle(const pickle::Document& document, const StorageBytes& storage_bytes,
                  const std::string& file);

/// Whether a pickle makes sparse tensors. Whether their indices lie within them is in their data,
/// which no check reads.
bool has_sparse_tensors(const pickle::Document& document);

} // namespace model_validator::torchscript
