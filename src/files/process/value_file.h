#pragma once

#include "files/process/byte_archive.h"
#include "files/regular_file.h"

#include <model_validator/error.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

// A result that one process of the program leaves to another in a temporary folder.
namespace model_validator::process {

/// @param value  described to an archive by `describe`, or known to it
/// @throws Error (`cannot-write`)
template <class T> void write_value(const std::filesystem::path& file, T value) {
  ByteWriter writer;
  writer(value);
  std::ofstream stream(file, std::ios::binary);
  stream << writer.bytes();
  stream.close();
  if (!stream)
    throw Error(ErrorKind::cannot_write, file.string(),
                "the results do not fit into the temporary folder",
                "set TMPDIR to a folder with more room");
}

/// Models ran in the process that wrote the file, and those of native code may have written it:
/// what was read may hold any value of its type.
/// @param most  bytes of a result
/// @param what  the process did: `the run`
/// @throws Error (`run-failed`) where it is no result
template <class T>
T read_value(const std::filesystem::path& file, std::uint64_t most, const std::string& what) {
  const FileText text = read_regular_file(file, most);
  ByteReader reader(text.bytes);
  T value{};
  try {
    reader(value);
    if (reader.done()) return value;
  } catch (const std::runtime_error&) {
    // It ends too early, as a file that is not there does.
  }
  throw Error(ErrorKind::run_failed, "", what + " ended without a result");
}

} // namespace model_validator::process
