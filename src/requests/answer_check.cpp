#include "lint/lint_files.h"
#include "lint/run_results.h"
#include "lint/settings_source.h"
#include "lint/tool_rules.h"
#include "lint/validation_log.h"
#include "report/report_writer.h"
#include "requests/checked_file.h"
#include "requests/page_documents.h"
#include "requests/question.h"
#include "requests/recorded_rule.h"
#include "rules/config_options.h"

#include <model_validator/error.h>

#include <algorithm>
#include <memory>
#include <sstream>

namespace model_validator {
namespace {

/// The call's settings, which override the configuration file.
Config layer_of(CallOptions& options) {
  Config config;
  config.origin = "command line";
  describe_selection(options, config);
  describe_baseline(options, config);
  return config;
}

Registry registry_of(CallOptions& options) {
  Registry registry = Registry::builtin();
  for (auto& rule : recorded_rules(options.structure("rules"))) registry.add(std::move(rule));
  return registry;
}

/// As the Python library saw them while it traced a live model.
std::shared_ptr<const std::vector<TracedDecision>> decisions_of(CallOptions& options) try {
  const auto given = options.structure("decisions");
  if (given.is_null()) return nullptr;
  auto decisions = std::make_shared<std::vector<TracedDecision>>();
  for (const auto& each : given) {
    TracedDecision& decision = decisions->emplace_back();
    decision.source.file = each.at("file").get<std::string>();
    decision.source.line = each.at("line").get<int>();
    decision.branch = each.at("made").get<std::string>() == "boolean";
  }
  return decisions;
} catch (const nlohmann::json::exception&) {
  throw Error(ErrorKind::bad_options, "",
              "the option `decisions` must be a list of objects with `file`, `line` and `made`");
}

/// Everything that a check is given besides the file.
struct CheckOptions {
  explicit CheckOptions(CallOptions& options)
      : registry(registry_of(options)), layer(layer_of(options)),
        config_file(options.text("config").value_or("")),
        isolated(options.flag("isolated").value_or(false)), limits(limits_of(options)),
        read(read_options_of(options)), trace(trace_of(options)), decisions(decisions_of(options)),
        formats(options.texts("formats").value_or(std::vector<std::string>{"json"})) {
    layer.sandbox = limits.sandbox;
    read.file_operators = true;
    style.show_suppressed = options.flag("show_suppressed").value_or(false);
    style.verbose = options.flag("verbose").value_or(false);
    options.require_all_known();
  }

  bool wants_page() const { return std::ranges::find(formats, "html") != formats.end(); }

  Registry registry;
  Config layer;
  std::filesystem::path config_file;
  bool isolated;
  ReadingLimits limits;
  ReadOptions read;
  std::optional<TraceOptions> trace;
  std::shared_ptr<const std::vector<TracedDecision>> decisions;
  std::vector<std::string> formats;
  Style style;
};

FileTask task_of(const CalledModel& model, const CheckOptions& options) {
  FileTask task;
  task.file.name = model.name;
  task.file.path = model.path;
  SettingsSource source(options.registry, options.layer, options.config_file, options.isolated);
  task.settings = source.settings_for(model.name);
  task.decisions = options.decisions;
  if (options.trace) task.trace = std::make_shared<const TraceOptions>(*options.trace);
  if (options.wants_page()) task.describe = add_model_documents;
  return task;
}

std::string written(const FileResult& result, const std::string& format, const Style& style,
                    const CheckOptions& options) {
  std::ostringstream out;
  const auto writer = make_report_writer(format, out, style, all_rules(options.registry));
  RunSummary summary;
  count(result, summary);
  writer->begin();
  writer->add(result.report);
  writer->end(summary);
  return std::move(out).str();
}

} // namespace

Reply answer_check(const Call& call, Reader reader) {
  CallOptions given(call.options);
  const CheckOptions options(given);
  const FileTask task = task_of(call.models.front(), options);
  RunResults results({task}, false);
  FileResult result = reader == Reader::confined
                          ? lint_file_confined(task, options.read, options.limits.policy())
                          : lint_file(task, options.read);
  results.add(result);
  add_edits({&result}, reader);
  if (options.wants_page()) add_source_documents(result.report, task.settings->roots());
  LogEntries log = log_of_settings({task});
  for (const LogEntries& entries : {validation_log(result.report), log_of(result)})
    log.insert(log.end(), entries.begin(), entries.end());
  if (const auto open = process::missing_protection(task.settings->sandbox);
      reader == Reader::confined && !open.empty())
    log.insert(log.begin(), {LogLevel::warning, open});
  Reply reply{static_cast<int>(results.outcome()), {{"log", log_as_json(log)}}};
  Style style = options.style;
  tell_default({task}, style);
  for (const std::string& format : options.formats)
    reply.texts[format] = written(result, format, style, options);
  return reply;
}

} // namespace model_validator
