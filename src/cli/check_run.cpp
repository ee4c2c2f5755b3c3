#include "cli/check_run.h"

#include "cli/baseline_store.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/rule_pages.h"
#include "lint/baselines.h"
#include "lint/lint_files.h"
#include "lint/settings_source.h"
#include "lint/suppressions.h"
#include "lint/validation_log.h"
#include "report/report_writer.h"
#include "text/escape.h"
#include "text/plural.h"

#include <algorithm>

namespace model_validator::cli {
namespace {

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

Passes passes_for(const std::string& format, const Style& style) {
  if (format == "github") return Passes::commands;
  return style.color ? Passes::colors : Passes::text;
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

std::vector<FileTask> tasks_of(const CheckOptions& options, const Registry& registry) {
  SettingsSource source(registry, options.config(), options.config_file, options.isolated);
  const auto inputs = options.trace.options();
  const auto trace = inputs ? std::make_shared<const TraceOptions>(*inputs) : nullptr;
  std::vector<FileTask> tasks;
  for (NamedFile& file : expand_inputs(options.models)) {
    auto settings = source.settings_for(file.name);
    tasks.push_back({std::move(file), std::move(settings), trace});
  }
  return tasks;
}

void write_baselines(const Baselines& baselines, Log& log) {
  for (const auto& [name, baseline] : baselines.all()) {
    const std::size_t stored = store_baseline(name, baseline);
    log.write(LogLevel::info,
              "wrote " + plural(stored, "finding") + " to " + escape(name.string()));
  }
}

/// Takes the results of a run one by one: suppressions, log, report, summary, exit status.
class Collector {
public:
  Collector(const CheckOptions& options, const std::vector<FileTask>& tasks)
      : output_(options.output_file, passes_for(options.format, style_for(options, tasks.size()))),
        log_(options.log_level_for(tasks.size()), wants_color(options.color, Stream::error)),
        many_(tasks.size() > 1), progress_(tasks.size(), !options.quiet), suppressions_(today()),
        baselines_(options.write_baseline), writing_(options.write_baseline),
        writer_(make_report_writer(options.format, output_.stream(),
                                   style_for(options, tasks.size()), all_rules())) {
    for (const FileTask& task : tasks) {
      suppressions_.expect(task.file.name, *task.settings);
      baselines_.expect(*task.settings);
    }
    writer_->begin();
  }

  void warn(const std::string& sentence) { log_.write(LogLevel::warning, sentence); }

  void take(FileResult result) {
    suppressions_.apply(*result.settings, result.ignores, result.report);
    baselines_.apply(*result.settings, result.report);
    progress_.erase();
    LogEntries entries = validation_log(result.report);
    for (const std::string& line : result.printed)
      entries.push_back({LogLevel::info, "the model printed: " + line});
    if (!result.trace_ended.empty()) entries.push_back({LogLevel::warning, result.trace_ended});
    log_.write(entries, many_ ? result.report.path : "");
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
    if (writing_ && skipped == 0) write_baselines(baselines_, log_);
    return status_;
  }

private:
  Output output_;
  Log log_;
  bool many_;
  Progress progress_;
  Suppressions suppressions_;
  Baselines baselines_;
  bool writing_;
  std::unique_ptr<ReportWriter> writer_;
  RunSummary summary_;
  int status_ = clean;
};

} // namespace

int run_check(const CheckOptions& options) {
  const Registry registry = Registry::builtin();
  const auto tasks = tasks_of(options, registry);
  const process::ReadingPolicy policy = options.reading.policy();
  const InterruptWatch interrupt;
  Collector collector(options, tasks);
  if (const std::string open = process::missing_protection(policy.sandbox); !open.empty())
    collector.warn(open);
  const std::size_t done =
      lint_files(tasks, options.read_options(), {policy, options.jobs}, interrupt.token(),
                 [&](FileResult result) { collector.take(std::move(result)); });
  const int status = collector.finish(tasks.size() - done);
  return interrupt.interrupted() ? interrupt.status() : status;
}

} // namespace model_validator::cli
