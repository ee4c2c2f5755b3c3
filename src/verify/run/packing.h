#pragma once

#include "files/zip_archive.h"

#include <cstdint>

namespace model_validator::verify {

/// Whether the compressed entries of a zip unpack to more bytes than is plausible for a file of
/// that size. A few bytes may unpack to very many, so any file may have some.
inline bool is_zip_bomb(const ZipArchive& zip, std::uint64_t file_size) {
  constexpr std::uint64_t believed = std::uint64_t{128} << 20;
  constexpr std::uint64_t largest_packing = 200;
  std::uint64_t unpacked = 0;
  for (const ZipEntry& entry : zip.entries())
    if (entry.compressed) unpacked += entry.size;
  return unpacked > believed && unpacked / largest_packing > file_size;
}

} // namespace model_validator::verify
