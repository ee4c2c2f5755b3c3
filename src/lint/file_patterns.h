#pragma once

#include "logging/log.h"
#include "rules/config_file.h"

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// A pattern of files in settings, and where it stands.
struct FilePattern {
  std::string pattern;
  std::string key;                          ///< `files`, `exclude`, `model`
  SourceLocation where;                     ///< no file: on the command line
  std::vector<std::filesystem::path> roots; ///< beneath which there should be a file that it fits
};

/// Those of a configuration file itself. What it extends is made for many folders.
/// @param origin  one that is named need not lie above the models
std::vector<FilePattern> patterns_of(const ConfigFile& file, ConfigOrigin origin);
/// Those of the command line.
std::vector<FilePattern> patterns_of(const Config& command_line);

/// A warning for each pattern that fits no file, neither of a run nor beneath its folders: it is
/// misspelt, or out of date, and the settings with it hold for nothing. `*.onnx` is neither, though
/// there may be no such file today.
/// @param files  of the run
LogEntries log_of_patterns(const std::vector<FilePattern>& patterns,
                           const std::vector<std::filesystem::path>& files);

} // namespace model_validator
