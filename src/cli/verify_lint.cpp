#include "cli/verify_lint.h"

#include "cli/console/terminal.h"
#include "lint/finish_report.h"
#include "lint/lint_files.h"
#include "report/report_writer.h"
#include "text/guarded_output.h"

#include <model_validator/registry.h>

#include <iostream>

namespace model_validator::cli {
namespace {

bool is_error(const Diagnostic& finding) {
  return finding.severity == Severity::error && !finding.suppressed;
}

ModelReport lint_reference(const verify::VerifyRequest& request,
                           const process::ReadingPolicy& policy) {
  const Registry registry = Registry::builtin();
  const auto settings = std::make_shared<const Settings>(resolve_settings(registry, {}));
  ReadOptions options;
  options.operator_libraries = request.operator_libraries;
  const NamedFile file{request.reference.string(), request.reference, std::nullopt};
  return lint_file_confined({file, settings}, options, policy).report;
}

void show(ModelReport report) {
  std::erase_if(report.findings, [](const Diagnostic& finding) { return !is_error(finding); });
  finish(report);
  Style style;
  style.color = wants_color(ColorChoice::automatic, Stream::error);
  style.width = terminal_width(Stream::error);
  style.quiet = true;
  GuardedStream out(std::cerr, style.color);
  const auto writer = make_report_writer("full", out, style, {});
  writer->begin();
  writer->add(report);
  writer->end({});
  out << "not verified: lint found errors; `--no-lint` verifies anyway\n";
}

} // namespace

bool lint_allows(const verify::VerifyRequest& request, const process::ReadingPolicy& policy) {
  auto report = lint_reference(request, policy);
  if (report.error) throw *report.error;
  if (std::none_of(report.findings.begin(), report.findings.end(), is_error)) return true;
  show(std::move(report));
  return false;
}

} // namespace model_validator::cli
