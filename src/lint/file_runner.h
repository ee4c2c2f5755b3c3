#pragma once

#include "lint/input_files.h"
#include "lint/settings.h"

#include <model_validator/lint.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace model_validator {

/// How files are linted.
struct FileRun {
  ReadOptions read;
  unsigned jobs = 0; ///< threads; 0: one a core
  /// The settings for a file; may throw Error. Called from several threads at once.
  std::function<std::shared_ptr<const Settings>(const NamedFile&)> settings;
};

/// One file that is done.
struct FileResult {
  ModelReport report;
  std::shared_ptr<const Settings> settings; ///< null where they could not be had
  bool fault = false;                       ///< the error is a fault of the tool, not of the file
};

/// Reads one file and runs its checks. What goes wrong becomes the report's error.
FileResult lint_file(const NamedFile& file, const FileRun& run);

/// Lints the files on several threads and hands each result, in the order of `files`, to `done` on
/// the calling thread. When asked to stop, takes up no more files and hands over what is finished.
/// @returns the number of files handed over
std::size_t lint_files(const std::vector<NamedFile>& files, const FileRun& run,
                       std::stop_token stop, const std::function<void(FileResult)>& done);

} // namespace model_validator
