#pragma once

#include "lint/baselines.h"
#include "lint/file_runner.h"
#include "lint/suppressions.h"
#include "logging/log.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace model_validator {

/// Files of data that several models of a run take their weights from: one may have overwritten the
/// other's.
class SharedData {
public:
  /// Tells of each file that a model before it takes weights from as well.
  void note(FileResult& result);

private:
  std::map<std::string, std::string> first_models_; ///< by the file of data
};

/// How a file, or a run, ended: the exit status of the program.
enum class Outcome : int { clean = 0, findings = 1, unreadable = 2, fault = 3 };

/// What is decided over all files of a run: what suppressions and baselines hide, and the outcome.
class RunResults {
public:
  /// @param writing  record the findings in the baselines, instead of comparing them with these
  /// @throws Error for a baseline that cannot be read, or if one is to be written and none is named
  RunResults(const std::vector<FileTask>& tasks, bool writing);

  /// Hides what suppressions and baselines hide, and counts the rest. Must be called once for each
  /// file, in the order of the tasks.
  void add(FileResult& result);
  /// Its two steps, for callers that do something in between.
  void hide(FileResult& result);
  void count(const FileResult& result);

  /// The worst of the files so far. Where all of them were passed over, nothing was linted: that is
  /// as it should be where the files were named to be taken as found.
  Outcome outcome(bool as_found = false) const noexcept {
    return any_model_ || as_found ? outcome_ : std::max(outcome_, Outcome::unreadable);
  }
  const Baselines& baselines() const noexcept { return baselines_; }

private:
  SharedData shared_;
  Suppressions suppressions_;
  Baselines baselines_;
  Outcome outcome_ = Outcome::clean;
  bool any_model_ = false;
};

/// What the log says of where settings came from, once for all files.
LogEntries log_of_settings(const std::vector<FileTask>& tasks);
/// What the log says of patterns of files in these settings that fit none.
LogEntries log_of_patterns(const std::vector<FileTask>& tasks);
/// What the log says of a file besides how its checks went.
LogEntries log_of(const FileResult& result);

} // namespace model_validator
