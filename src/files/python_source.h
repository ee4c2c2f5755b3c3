#pragma once

#include <map>
#include <string>
#include <vector>

namespace model_validator {

/// Lines of the Python files that are available, each file read once.
class PythonSource {
public:
  /// The line, counted from 1; empty where there is none. Models name the files and are not
  /// trusted: nothing but `*.py` is read.
  const std::string& line(const std::string& file, int number);

private:
  std::map<std::string, std::vector<std::string>> files_;
};

} // namespace model_validator
