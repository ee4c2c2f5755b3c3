#include "cli/check/check_run.h"

#include "cli/check/baseline_store.h"
#include "cli/check/foreign_checks.h"
#include "cli/console/interrupt.h"
#include "cli/console/output.h"
#include "cli/console/progress.h"
#include "cli/console/shared_options.h"
#include "lint/excluded.h"
#include "lint/file_runner.h"
#include "lint/finish_report.h"
#include "lint/lint_files.h"
#include "lint/run_results.h"
#include "lint/settings_source.h"
#include "lint/tool_rules.h"
#include "lint/validation_log.h"
#include "report/report_writer.h"
#include "requests/checked_file.h"
#include "requests/page_documents.h"
#include "text/escape.h"
#include "text/plural.h"

#include <model_validator/error.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

namespace model_validator::cli {
namespace {

Style style_for(const CheckOptions& options, const std::vector<FileTask>& tasks) {
  const bool on_terminal = options.output_file.empty();
  Style style;
  style.color = options.color == ColorChoice::always ||
                (on_terminal && wants_color(options.color, Stream::output));
  style.width = on_terminal ? terminal_width(Stream::output) : 0;
  style.verbose = options.verbose;
  style.quiet = options.quiet;
  style.statistics = options.statistics;
  style.show_suppressed = options.show_suppressed;
  style.many_models = tasks.size() > 1;
  tell_default(tasks, style);
  return style;
}

Passes passes_for(const std::string& format, const Style& style) {
  if (format == "github" || format == "html") return Passes::commands;
  return style.color ? Passes::colors : Passes::text;
}

/// The source of a project is read, and understood, once for so many models, unless they take long:
/// then people see what is found in one before the next is read.
constexpr std::size_t planned_together = 32;
constexpr std::chrono::seconds longest_wait{1};

/// Whether edits, or how many findings have one, are in the report.
bool shows_edits(const CheckOptions& options) {
  const std::string& format = options.format;
  const bool counts = (format == "full" || format == "concise") && !options.quiet;
  return counts || options.statistics || format == "json" || format == "jsonl" ||
         format == "sarif" || format == "html";
}

void write_baselines(const Baselines& baselines, Log& log) {
  for (const auto& [name, baseline] : baselines.all()) {
    const std::size_t stored = store_baseline(name, baseline);
    log.write(LogLevel::info,
              "wrote " + plural(stored, "finding") + " to " + escape(name.string()));
  }
}

/// The command of the Python package runs the checks, and gives this program their findings.
void require_python_package(const CheckOptions& options) {
  if (options.plugins.empty()) return;
  throw Error(ErrorKind::usage, "", "`--plugin` needs Python, which this program does not include",
              "use the command that the Python package brings, or run `python -m "
              "model_validator`");
}

/// Takes the results of a run one by one: suppressions, log, report, summary, exit status.
class Collector {
public:
  Collector(const CheckOptions& options, const std::vector<FileTask>& tasks,
            const Registry& registry, std::stop_token stop)
      : asking_(options.asking), stop_(std::move(stop)),
        output_(options.output_file, passes_for(options.format, style_for(options, tasks))),
        log_(options.least_log_level(), wants_color(options.color, Stream::error)),
        logs_checks_(options.logs_checks()), many_(tasks.size() > 1), as_found_(options.as_found),
        progress_(tasks.size(), !options.quiet), results_(tasks, options.write_baseline),
        writing_(options.write_baseline), shows_edits_(shows_edits(options)),
        page_(options.format == "html"), tasks_(tasks),
        writer_(make_report_writer(options.format, output_.stream(), style_for(options, tasks),
                                   all_rules(registry))) {
    asking_.sandbox = process::to_string(options.reading.policy().sandbox);
    writer_->begin();
  }

  void log(const LogEntries& entries) { log_.write(entries, ""); }

  void take(FileResult result) {
    ask_runtimes(result.report, asking_, stop_);
    results_.hide(result);
    held_.push_back(std::move(result));
    const bool wait = shows_edits_ && held_.size() < planned_together &&
                      std::chrono::steady_clock::now() - last_shown_ < longest_wait;
    if (!wait) show_held();
  }

  int finish(std::size_t skipped) {
    progress_.erase();
    show_held();
    summary_.skipped = skipped;
    if (skipped == 0) summary_.baseline_gone = results_.baselines().gone();
    writer_->end(summary_);
    output_.finish();
    if (writing_ && skipped == 0) write_baselines(results_.baselines(), log_);
    return static_cast<int>(results_.outcome(as_found_));
  }

private:
  void show_held() {
    std::vector<FileResult*> results;
    for (FileResult& result : held_) results.push_back(&result);
    if (shows_edits_) add_edits(results, Reader::confined);
    for (FileResult* result : results) show(*result);
    held_.clear();
    last_shown_ = std::chrono::steady_clock::now();
  }

  void show(FileResult& result) {
    results_.count(result);
    progress_.erase();
    const std::string name = many_ ? result.report.path : "";
    if (logs_checks_) log_.write(validation_log(result.report), name);
    log_.write(log_of(result), name);
    if (page_) add_source_documents(result.report, result.settings->roots());
    writer_->add(result.report);
    model_validator::count(result, summary_);
    output_.flush();
    progress_.advance();
  }

  AskingChoice asking_;
  std::stop_token stop_;
  Output output_;
  Log log_;
  bool logs_checks_;
  bool many_;
  bool as_found_;
  Progress progress_;
  RunResults results_;
  bool writing_;
  bool shows_edits_;
  bool page_; ///< it shows the models and their source, too
  const std::vector<FileTask>& tasks_;
  std::vector<FileResult> held_; ///< until their source is read, once for several of them
  std::chrono::steady_clock::time_point last_shown_ = std::chrono::steady_clock::now();
  std::unique_ptr<ReportWriter> writer_;
  RunSummary summary_;
};

} // namespace

std::vector<FileTask> tasks_of(const CheckOptions& options, const Registry& registry) {
  SettingsSource source(registry, options.config(), options.config_file, options.isolated);
  const auto inputs = options.trace.options();
  const auto trace = inputs ? std::make_shared<const TraceOptions>(*inputs) : nullptr;
  std::vector<FileTask> tasks;
  auto files = expand_inputs(options.models, options.as_found);
  leave_out_excluded(files, source, options.as_found);
  for (NamedFile& file : files) {
    auto settings = source.settings_for(file.name);
    tasks.push_back({std::move(file), std::move(settings), trace});
    if (options.format == "html") tasks.back().describe = add_model_documents;
  }
  return tasks;
}

int run_check(const CheckOptions& options) {
  require_python_package(options);
  if (!options.graphs.empty()) return write_graphs(options);
  const RunChecks checks(options.findings);
  const auto tasks = checks.tasks_of(options);
  const process::ReadingPolicy policy = options.reading.policy();
  const InterruptWatch interrupt;
  Collector collector(options, tasks, checks.all(), interrupt.token());
  collector.log(log_of_settings(tasks));
  collector.log(log_of_patterns(tasks));
  if (const std::string open = process::missing_protection(policy.sandbox); !open.empty())
    collector.log({{LogLevel::warning, open}});
  const std::size_t done =
      lint_files(tasks, options.read_options(), {policy, options.jobs}, interrupt.token(),
                 [&](FileResult result) { collector.take(std::move(result)); });
  const int status = collector.finish(tasks.size() - done);
  return interrupt.interrupted() ? interrupt.status() : status;
}

} // namespace model_validator::cli
