#include "cli/check_run.h"

#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "lint/file_runner.h"
#include "lint/validation_log.h"
#include "report/report_writer.h"

#include <algorithm>

namespace model_validator::cli {
namespace {

constexpr int interrupted_status = 130;

Style style_for(const CheckOptions& options, std::size_t models) {
  const bool on_terminal = options.output_file.empty();
  Style style;
  style.color = options.color == ColorChoice::always ||
                (on_terminal && wants_color(options.color, Stream::output));
  style.width = on_terminal ? terminal_width(Stream::output) : 0;
  style.verbose = options.verbose;
  style.quiet = options.quiet;
  style.statistics = options.statistics;
  style.show_suppressed = options.show_suppressed;
  style.many_models = models > 1;
  return style;
}

bool reaches(const Diagnostic& finding, Severity fail_on) {
  return fail_on != Severity::off && finding.severity >= fail_on && !finding.suppressed;
}

/// The exit status that one file asks for; a run has the largest of its files'.
int status_of(const FileResult& result) {
  const ModelReport& report = result.report;
  const bool crashed =
      result.fault || std::any_of(report.checks.begin(), report.checks.end(),
                                  [](const auto& c) { return c.status == CheckStatus::crashed; });
  if (crashed) return internal_fault;
  if (report.error) return usage_error;
  const Severity fail_on = result.settings->fail_on;
  const bool failed = std::any_of(report.findings.begin(), report.findings.end(),
                                  [&](const auto& finding) { return reaches(finding, fail_on); });
  return failed ? findings : clean;
}

/// Takes the results of a run one by one: log, report, summary, exit status.
class Collector {
public:
  Collector(const CheckOptions& options, std::size_t models)
      : output_(options.output_file),
        log_(options.log_level_for(models), wants_color(options.color, Stream::error)),
        many_(models > 1), progress_(models, !options.quiet),
        writer_(make_report_writer(options.format, output_.stream(), style_for(options, models))) {
    writer_->begin();
  }

  void take(const FileResult& result) {
    progress_.erase();
    log_.write(validation_log(result.report), many_ ? result.report.path : "");
    writer_->add(result.report);
    summary_.add(result.report);
    status_ = std::max(status_, status_of(result));
    output_.flush();
    progress_.advance();
  }

  int finish(std::size_t skipped) {
    progress_.erase();
    summary_.skipped = skipped;
    writer_->end(summary_);
    output_.finish();
    return status_;
  }

private:
  Output output_;
  Log log_;
  bool many_;
  Progress progress_;
  std::unique_ptr<ReportWriter> writer_;
  RunSummary summary_;
  int status_ = clean;
};

} // namespace

int run_check(const CheckOptions& options) {
  const Registry registry = Registry::builtin();
  const auto settings =
      std::make_shared<const Settings>(settle_settings(registry, {options.config()}));
  const auto inputs = expand_inputs(options.models);
  FileRun run;
  run.read = options.read_options();
  run.jobs = options.jobs;
  run.settings = [&](const NamedFile&) { return settings; };

  const InterruptWatch interrupt;
  Collector collector(options, inputs.size());
  const std::size_t done = lint_files(inputs, run, interrupt.token(),
                                      [&](const FileResult& result) { collector.take(result); });
  const int status = collector.finish(inputs.size() - done);
  return interrupt.interrupted() ? interrupted_status : status;
}

} // namespace model_validator::cli
