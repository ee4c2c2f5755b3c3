#include "lint/file_runner.h"

#include "lint/settle.h"
#include "lint/standard_input.h"
#include "lint/work_queue.h"

#include <new>
#include <optional>
#include <unistd.h>

namespace model_validator {
namespace {

ModelReport read_and_lint(const NamedFile& file, const FileRun& run, const Settings& settings) {
  std::optional<StandardInput> input;
  if (file.name == "-") input.emplace(STDIN_FILENO);
  ConnectedGraph graph = read_graph(input ? input->path() : file.path, run.read);
  graph.origin.path = file.name;
  return lint(graph, settings.enabled, settings.context());
}

/// What the user is told names the file as the user does.
Error about(const NamedFile& file, const Error& error) {
  const bool temporary = file.name == "-";
  return Error(error.kind(), temporary || error.path().empty() ? file.name : error.path(),
               error.what(), error.hint());
}

void override_severities(const Settings& settings, ModelReport& report) {
  for (Diagnostic& finding : report.findings)
    if (const auto found = settings.severity.find(finding.rule); found != settings.severity.end())
      finding.severity = found->second;
  std::erase_if(report.findings, [](const Diagnostic& d) { return d.severity == Severity::off; });
  settle(report);
}

FileResult failed(const NamedFile& file, Error error, bool fault) {
  FileResult result;
  result.report.path = file.name;
  result.report.status = ModelStatus::error;
  result.report.error = std::move(error);
  result.fault = fault;
  return result;
}

} // namespace

FileResult lint_file(const NamedFile& file, const FileRun& run) {
  if (file.error) return failed(file, *file.error, false);
  try {
    FileResult result;
    result.settings = run.settings(file);
    result.report = read_and_lint(file, run, *result.settings);
    override_severities(*result.settings, result.report);
    return result;
  } catch (const Error& error) {
    return failed(file, about(file, error), false);
  } catch (const std::bad_alloc&) {
    return failed(file,
                  Error("out-of-memory", file.name, "the model needs more memory than there is",
                        "lint fewer files at once with `-j 1`"),
                  false);
  } catch (const std::exception& error) {
    return failed(file,
                  Error("internal-error", file.name, error.what(),
                        "this is a fault in model_validator: please report it"),
                  true);
  }
}

std::size_t lint_files(const std::vector<NamedFile>& files, const FileRun& run,
                       std::stop_token stop, const std::function<void(FileResult)>& done) {
  return work_in_order<FileResult>(
      files.size(), run.jobs, std::move(stop),
      [&](std::size_t i) { return lint_file(files[i], run); }, done);
}

} // namespace model_validator
