#pragma once

#include "files/input_file.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// A mark of the end of a zip's directory.
struct ZipEnd {
  bool directory_is_right_before = false;
  /// The directory is where the record says; not that of a zip within the file, which counts from
  /// its own start.
  bool directory_is_at_offset = false;
  std::uint64_t directory_offset = 0; ///< of that right before it
  std::uint64_t directory_size = 0;
  std::uint64_t bytes_after = 0; ///< in the file
};

/// The bytes of a zip, which may lie within another.
struct ZipBytes {
  std::uint64_t size = 0;
  std::function<std::string(std::uint64_t offset, std::size_t count)> read_at;
};

/// Those in the last 64 KiB, where readers look for one, in order. libzip takes that whose
/// directory is largest, others the last. (The format: PKWARE's APPNOTE, 4.3.16.)
std::vector<ZipEnd> zip_ends(const ZipBytes& bytes);

/// The file must outlive them.
ZipBytes bytes_of(const InputFile& file);

/// A number of a zip's record; 0 beyond its end.
template <class Number> Number zip_number(std::string_view bytes, std::size_t at) {
  Number number = 0;
  for (std::size_t i = sizeof(Number); i-- > 0 && at + i < bytes.size();)
    number =
        static_cast<Number>(std::uint64_t{number} << 8 | static_cast<unsigned char>(bytes[at + i]));
  return number;
}

} // namespace model_validator
