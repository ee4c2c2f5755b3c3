#pragma once

#include "files/byte_span.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// Where the bytes of one tensor lie.
struct StoredWeights {
  std::filesystem::path file;
  std::string entry; ///< of a zip, with its top folder; empty for a plain file
  bool compressed = false;
  std::vector<ByteSpan> spans; ///< of the file, or of the entry
  std::string bytes;           ///< at hand already; the spans are empty then
  std::string name;            ///< of the parameter, where the listing names it
  std::string dtype;           ///< of the elements that the bytes are; empty where they are coded
  std::vector<std::uint64_t> shape = {}; ///< where the listing has it
};

/// @param size  of the file or entry that the spans are of
/// @throws Error (`truncated-file`) where they reach beyond it
void require_within(const StoredWeights& weights, std::uint64_t size);

} // namespace model_validator
