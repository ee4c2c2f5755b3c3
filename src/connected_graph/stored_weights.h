#pragma once

#include "files/byte_span.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// Where the bytes of one tensor are stored.
struct StoredWeights {
  std::filesystem::path file;
  std::string entry; ///< in a zip, with its top folder; empty for a plain file
  bool compressed = false;
  std::vector<ByteSpan> spans;             ///< in the file, or in the entry
  std::string bytes;                       ///< already available; the spans are then empty
  std::string name;                        ///< of the parameter, if the listing names it
  std::string dtype;                       ///< of the elements; empty if the bytes are encoded
  std::vector<std::uint64_t> shape = {};   ///< if the listing has it
  std::vector<std::uint64_t> strides = {}; ///< in elements; empty: one row after the other
};

/// @param size  of the file or entry that the spans are of
/// @throws Error (`truncated-file`) if they reach beyond it
void require_within(const StoredWeights& weights, std::uint64_t size);

} // namespace model_validator
