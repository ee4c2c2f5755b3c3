#pragma once

#include "files/process/model_reading.h"

#include <model_validator/graph_reader.h>
#include <model_validator/trace.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace model_validator {

/// What the user should know of a result.
struct Warning {
  std::string sentence;
  std::string hint;
};

/// That a trace ended early; none where it ran to its end.
std::optional<Warning> early_end(const ConnectedGraph& graph, const Trace& trace);

/// What a command makes of models, in the process that reads them.
struct Findings {
  std::ostringstream output;
  std::vector<Warning> warnings;
  int status = 0;
};

/// What it needs for that.
struct Reading {
  std::vector<std::filesystem::path> models;
  std::vector<std::filesystem::path> beside; ///< other files that the user names
  std::filesystem::path writable;            ///< a folder for what it writes; empty: none
  process::ReadingPolicy policy;
  ReadOptions options;
};

/// What comes back from there.
struct ReadingResult {
  std::string text;
  std::vector<Warning> warnings;
  std::vector<std::string> printed; ///< lines that the model printed, where it was run
  int status = 0;
};

/// Does the work in a confined process.
/// @throws Error: that of the work, or how the process ended
ReadingResult read_confined(const Reading& reading, const std::function<void(Findings&)>& work);

/// Does the work in this process, for models that the caller trusts. @throws Error
ReadingResult read_in_place(const std::function<void(Findings&)>& work);

} // namespace model_validator
