#pragma once

#include "files/zip_archive.h"

#include <cstdint>

namespace model_validator::verify {

/// Whether the compressed entries of a zip stand for more bytes than a file of that size sensibly
/// holds. A few stand for very many: some are believed of any file.
inline bool unpacks_beyond_sense(const ZipArchive& zip, std::uint64_t file_size) {
  constexpr std::uint64_t believed = std::uint64_t{128} << 20;
  constexpr std::uint64_t largest_packing = 200;
  std::uint64_t unpacked = 0;
  for (const ZipEntry& entry : zip.entries())
    if (entry.compressed) unpacked += entry.size;
  return unpacked > believed && unpacked / largest_packing > file_size;
}

} // namespace model_validator::verify
