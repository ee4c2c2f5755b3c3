#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// A longer line is no code that a person reads, and is not quoted.
inline constexpr std::size_t max_line_length = 4096;

/// Whether a file may be read as Python source. Models name files, and repositories hold links:
/// what counts is where the file really is. It must be a `*.py` beneath the working folder or a
/// folder that the user names.
bool is_source(const std::filesystem::path& file, const std::vector<std::filesystem::path>& roots);

/// Whether two lines say the same to Python: models carry lines without their indentation, and a
/// comment that was added, to hide a finding, changes nothing of what was exported.
bool is_same_code(std::string_view line, std::string_view other);

/// Lines of the Python files that are available, each file read once.
class PythonSource {
public:
  /// @param roots  folders of source besides the working folder
  explicit PythonSource(std::vector<std::filesystem::path> roots = {}) : roots_(std::move(roots)) {}

  /// The line, counted from 1; empty where there is none, where the file is no source that may be
  /// read, or where the line is longer than anyone writes it. No more than 64 MiB are read of all
  /// files together.
  std::string line(const std::string& file, int number);

  /// Whether there is such a file, and text in it.
  bool has(const std::string& file) { return count(file) > 0; }
  /// How many lines it has.
  int count(const std::string& file) { return static_cast<int>(text(file).lines.size()); }

private:
  struct Text {
    std::string bytes;
    std::vector<std::uint32_t> lines; ///< where each begins
  };
  Text read(const std::string& file);
  const Text& text(const std::string& file);

  std::vector<std::filesystem::path> roots_;
  std::map<std::string, Text> files_;
  std::uint64_t left_ = std::uint64_t{64} << 20; ///< bytes that may still be read
};

} // namespace model_validator
