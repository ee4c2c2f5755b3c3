#pragma once

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>
#include <model_validator/registry.h>
#include <model_validator/verdict.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

enum class CheckStatus {
  passed,
  failed,
  crashed,
  not_judged, ///< found nothing in a file that does not hold what it needs
};
const char* to_string(CheckStatus status);

/// How one check went on one model.
struct CheckResult {
  std::string name;
  CheckStatus status = CheckStatus::passed;
  std::size_t findings = 0;
  std::vector<std::string> summaries; ///< sentences for the log
  std::string lacking = {};           ///< what it needs that the file does not hold, as a sentence

  friend bool operator==(const CheckResult&, const CheckResult&) = default;
};

enum class ModelStatus {
  passed,
  failed,
  error,
  no_model, ///< a file found in a folder that holds something else
};
const char* to_string(ModelStatus status);

/// What the runtime of a target itself said of a model on this machine.
struct AskedHere {
  std::string target;
  std::string runtime;                    ///< `ONNX Runtime 1.31.1, CPUExecutionProvider`
  std::string answer;                     ///< `right`, `refused`, …; `not asked`
  std::string message;                    ///< in its own words
  std::vector<std::string> nodes;         ///< those that are not right, a line each
  std::vector<std::string> disagreements; ///< with the table, a sentence each
};

/// What a report that shows the model itself is made of, as JSON; empty for other reports.
struct ModelDocuments {
  std::string graph;      ///< `model_validator-graph/1`
  std::string inspection; ///< `model_validator-inspect/1`
  std::string sources;    ///< `model_validator-sources/1`: the Python around findings

  friend bool operator==(const ModelDocuments&, const ModelDocuments&) = default;
};

/// Everything a run reports for one file.
struct ModelReport {
  std::string path;
  FileFormat format = FileFormat::unknown; ///< until it is read
  ModelStatus status = ModelStatus::passed;
  std::optional<Error> error;
  std::size_t ops = 0;
  std::vector<CheckResult> checks;
  std::vector<TargetVerdict> verdicts; ///< one per target
  std::vector<AskedHere> asked;        ///< beneath them, where that was asked for
  std::vector<Diagnostic> findings;    ///< sorted by location, then module, then rule
  ModelDocuments documents;
};

/// Runs checks over a graph. A check that throws becomes one `internal-error` finding (MET002); the
/// others still run.
/// @param enabled  the checks to run, in order
ModelReport lint(const ConnectedGraph& graph, const std::vector<const Validator*>& enabled,
                 const Context& context);

} // namespace model_validator
