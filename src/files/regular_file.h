#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace model_validator {

/// What a file holds, or why it cannot be read.
struct FileText {
  std::string bytes;
  std::string why_not; ///< "No such file or directory", "not a regular file", "larger than 16 MiB";
                       ///< else empty
};

/// Reads a small file as a whole. Only regular files are read, so that no pipe or device blocks the
/// program.
/// @param most  bytes that are read at most; a larger file is refused
FileText read_regular_file(const std::filesystem::path& file, std::uint64_t most);

/// Whether brackets are nested deeper in a JSON text than `most`. Parsing, copying or freeing
/// unlimited nesting may exhaust the stack.
bool is_nested_deeper(std::string_view json, int most);

} // namespace model_validator
