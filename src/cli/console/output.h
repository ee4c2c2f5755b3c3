#pragma once

#include "files/atomic_file.h"
#include "text/guarded_output.h"

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

namespace model_validator::cli {

/// Thrown when nobody reads standard output any more: the run ends quietly.
struct BrokenPipe {};

/// What may pass into a result unchanged.
enum class Passes {
  text,    ///< nothing that steers a terminal or a build server
  colors,  ///< the same, except that colours pass
  commands ///< everything: the writer has escaped what its format asks for
};

/// Where a command's result goes: standard output, or a file that appears when it is complete.
class Output {
public:
  /// @param file  empty or `-` for standard output
  explicit Output(const std::filesystem::path& file = {}, Passes passes = Passes::text);

  std::ostream& stream();
  /// Passes on what was written. @throws BrokenPipe, Error (`cannot-write`)
  void flush();
  /// Like flush, and puts the file in its place.
  void finish();

private:
  std::ostream& target();

  std::optional<AtomicFile> file_;
  std::optional<GuardedStream> guarded_;
};

/// Writes a command's whole result. @throws BrokenPipe, Error (`cannot-write`)
void print(const std::string& text, const std::filesystem::path& file = {},
           Passes passes = Passes::text);

} // namespace model_validator::cli
