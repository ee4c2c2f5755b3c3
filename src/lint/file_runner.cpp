#include "lint/file_runner.h"

#include "lint/settle.h"
#include "lint/standard_input.h"
#include "lint/work_queue.h"

#include <new>
#include <optional>
#include <unistd.h>

namespace model_validator {
namespace {

FileResult read_and_lint(const FileTask& task, const ReadOptions& options) {
  const NamedFile& file = task.file;
  std::optional<StandardInput> input;
  if (file.name == "-") input.emplace(STDIN_FILENO);
  ConnectedGraph graph = read_graph(input ? input->path() : file.path, options);
  graph.origin.path = file.name;
  return lint_graph(graph, task.settings);
}

/// What the user is told names the file as the user does.
Error about(const NamedFile& file, const Error& error) {
  const bool temporary = file.name == "-";
  return Error(error.kind(), temporary || error.path().empty() ? file.name : error.path(),
               error.what(), error.hint());
}

void override_severities(const Settings& settings, ModelReport& report) {
  for (Diagnostic& finding : report.findings)
    finding.severity = settings.severity_of(finding.rule, finding.severity);
  std::erase_if(report.findings, [](const Diagnostic& d) { return d.severity == Severity::off; });
  settle(report);
}

FileResult failed(const FileTask& task, Error error, bool fault) {
  FileResult result;
  result.settings = task.settings;
  result.report.path = task.file.name;
  result.report.status = ModelStatus::error;
  result.report.error = std::move(error);
  result.fault = fault;
  return result;
}

} // namespace

FileResult lint_graph(const ConnectedGraph& graph, std::shared_ptr<const Settings> settings) {
  FileResult result;
  result.settings = std::move(settings);
  result.report = lint(graph, result.settings->enabled, result.settings->context());
  result.ignores = inline_ignores(graph);
  override_severities(*result.settings, result.report);
  return result;
}

FileResult lint_file(const FileTask& task, const ReadOptions& options) {
  const NamedFile& file = task.file;
  if (file.error) return failed(task, *file.error, false);
  try {
    return read_and_lint(task, options);
  } catch (const Error& error) {
    return failed(task, about(file, error), false);
  } catch (const std::bad_alloc&) {
    return failed(task,
                  Error("out-of-memory", file.name, "the model needs more memory than there is",
                        "lint fewer files at once with `-j 1`"),
                  false);
  } catch (const std::exception& error) {
    return failed(task,
                  Error("internal-error", file.name, error.what(),
                        "this is a fault in model_validator: please report it"),
                  true);
  }
}

std::size_t lint_files(const std::vector<FileTask>& tasks, const ReadOptions& options,
                       unsigned jobs, std::stop_token stop,
                       const std::function<void(FileResult)>& done) {
  return work_in_order<FileResult>(
      tasks.size(), jobs, std::move(stop),
      [&](std::size_t i) { return lint_file(tasks[i], options); }, done);
}

} // namespace model_validator
