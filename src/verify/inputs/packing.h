#pragma once

#include "files/input_file.h"
#include "files/zip_archive.h"

#include <algorithm>
#include <cstdint>
#include <sys/stat.h>

namespace model_validator::verify {

/// How many bytes of a file are on the disk: holes in it are none.
inline std::uint64_t bytes_on_disk(const InputFile& file) {
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) return file.size();
  return std::min<std::uint64_t>(file.size(), std::uint64_t{512} * status.st_blocks);
}

/// Whether the entries of a zip unpack to more bytes than is plausible for what its file has on the
/// disk. A few bytes may unpack to very many, so any file may have some.
inline bool is_zip_bomb(const ZipArchive& zip, const InputFile& file) {
  constexpr std::uint64_t believed = std::uint64_t{128} << 20;
  constexpr std::uint64_t max_packing_ratio = 200;
  std::uint64_t unpacked = 0;
  for (const ZipEntry& entry : zip.entries()) unpacked += entry.size;
  return unpacked > believed && unpacked / max_packing_ratio > bytes_on_disk(file);
}

} // namespace model_validator::verify
