#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace model_validator {

/// Whether a file may be read as Python source. Models name files, and repositories hold links:
/// what counts is where the file really is. It must be a `*.py` beneath the working folder or a
/// folder that the user names.
bool is_source(const std::filesystem::path& file, const std::vector<std::filesystem::path>& roots);

/// Lines of the Python files that are available, each file read once.
class PythonSource {
public:
  /// @param roots  folders of source besides the working folder
  explicit PythonSource(std::vector<std::filesystem::path> roots = {}) : roots_(std::move(roots)) {}

  /// The line, counted from 1; empty where there is none, or no source that may be read.
  const std::string& line(const std::string& file, int number);

private:
  std::vector<std::filesystem::path> roots_;
  std::map<std::string, std::vector<std::string>> files_;
};

} // namespace model_validator
