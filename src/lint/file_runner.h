#pragma once

#include "lint/inline_ignores.h"
#include "lint/input_files.h"
#include "lint/settings.h"

#include <model_validator/lint.h>
#include <model_validator/model.h>
#include <model_validator/trace.h>

#include <functional>
#include <memory>
#include <vector>

namespace model_validator {

/// One file to be linted, and how.
struct FileTask {
  NamedFile file;                                      ///< `-` is standard input; its path a copy
  std::shared_ptr<const Settings> settings;            ///< never null
  std::shared_ptr<const TraceOptions> trace = nullptr; ///< inputs to trace it with; null for none
  /// What Python decided by values while the model was traced; null where nobody watched.
  std::shared_ptr<const std::vector<TracedDecision>> decisions = nullptr;
  /// Adds to the report what it shows of the model besides findings; null for nothing.
  std::function<void(const Model&, ModelReport&)> describe = nullptr;
};

/// One file that is done.
struct FileResult {
  ModelReport report;
  std::shared_ptr<const Settings> settings;
  std::vector<InlineIgnore> ignores;
  bool found = false;                  ///< in a folder or by a pattern: the user did not name it
  bool fault = false;                  ///< the error is a fault of the tool, not of the file
  std::vector<std::string> printed;    ///< lines that the model printed, where it was run
  std::vector<std::string> data_files; ///< that an ONNX file keeps weights in, each once
  std::string trace_ended;             ///< why its trace ended early; empty where it did not
  std::vector<std::string> untold;     ///< on comments that hide nothing, where no finding says so
};

/// Runs the checks of the settings over a graph.
/// @param file       holds its weights, for the checks that read them
/// @param decisions  made while it was traced; null where nobody watched
FileResult lint_graph(const ConnectedGraph& graph, std::shared_ptr<const Settings> settings,
                      const std::filesystem::path& file,
                      const std::vector<TracedDecision>* decisions = nullptr);

/// The result of a file that could not be linted.
/// @param fault  the tool's, not the file's
FileResult failed_result(const FileTask& task, Error error, bool fault);

/// Reads one file and runs its checks. What goes wrong becomes the report's error.
FileResult lint_file(const FileTask& task, const ReadOptions& options);

} // namespace model_validator
