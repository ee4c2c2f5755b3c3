#pragma once

#include "report/atomic_file.h"

#include <filesystem>
#include <optional>
#include <ostream>

namespace model_validator::cli {

/// Thrown when nobody reads standard output any more: the run ends quietly.
struct BrokenPipe {};

/// Where a command's result goes: standard output, or a file that appears when it is complete.
class Output {
public:
  /// @param file  empty or `-` for standard output
  explicit Output(const std::filesystem::path& file = {});

  std::ostream& stream();
  /// Passes on what was written. @throws BrokenPipe, Error (`cannot-write`)
  void flush();
  /// Like flush, and puts the file in its place.
  void finish();

private:
  std::optional<AtomicFile> file_;
};

} // namespace model_validator::cli
