#include "fixes/report_edits.h"
#include "lint/lint_files.h"
#include "lint/presets.h"
#include "lint/run_results.h"
#include "lint/settings_source.h"
#include "lint/tool_rules.h"
#include "lint/validation_log.h"
#include "report/report_writer.h"
#include "requests/confined_edits.h"
#include "requests/page_documents.h"
#include "requests/question.h"
#include "requests/recorded_rule.h"

#include <model_validator/error.h>

#include <algorithm>
#include <memory>
#include <sstream>

namespace model_validator {
namespace {

Severity severity_of(const std::string& word, const char* option) {
  const auto severity = severity_from(word);
  if (!severity)
    throw Error(ErrorKind::bad_options, "",
                "`" + word + "` is not a severity for the option `" + option + "`",
                "use off, info, warning or error");
  return *severity;
}

/// A severity, or `never`.
Severity fail_on_from(const std::string& word) {
  return word == "never" ? Severity::off : severity_of(word, "fail_on");
}

void add_selection(CallOptions& options, Config& config) {
  const std::vector<std::string> nothing;
  config.preset = options.text("preset");
  config.selection.select = options.texts("select");
  config.selection.extend_select = options.texts("extend_select").value_or(nothing);
  config.selection.ignore = options.texts("ignore").value_or(nothing);
  const nlohmann::json severities = options.structure("severity");
  for (const auto& [rule, word] : severities.items())
    config.severity[rule] =
        severity_of(word.is_string() ? word.get<std::string>() : "", "severity");
}

std::optional<int> opset_of(CallOptions& options) {
  constexpr int largest = 1000;
  const auto opset = options.integer("opset");
  if (!opset) return std::nullopt;
  if (*opset < 1 || *opset > largest)
    throw Error(ErrorKind::bad_options, "",
                "the option `opset` must be from 1 to " + std::to_string(largest));
  return static_cast<int>(*opset);
}

/// The call's settings, which override the configuration file.
Config layer_of(CallOptions& options) {
  Config config;
  config.origin = "command line";
  add_selection(options, config);
  config.targets = options.texts("target");
  config.profiles = options.paths("profile");
  config.opset = opset_of(options);
  if (const auto baseline = options.text("baseline")) config.baseline = *baseline;
  if (const auto word = options.text("fail_on")) config.fail_on = fail_on_from(*word);
  return config;
}

Registry registry_of(CallOptions& options) {
  Registry registry = Registry::builtin();
  for (auto& rule : recorded_rules(options.structure("rules"))) registry.add(std::move(rule));
  return registry;
}

/// Everything that a check is given besides the file.
struct CheckOptions {
  explicit CheckOptions(CallOptions& options)
      : registry(registry_of(options)), layer(layer_of(options)),
        config_file(options.text("config").value_or("")),
        isolated(options.flag("isolated").value_or(false)), policy(policy_of(options)),
        read(read_options_of(options)), trace(trace_of(options)),
        formats(options.texts("formats").value_or(std::vector<std::string>{"json"})) {
    if (const auto mode = options.text("sandbox")) layer.sandbox = policy.sandbox;
    read.file_operators = true;
    style.show_suppressed = options.flag("show_suppressed").value_or(false);
    style.verbose = options.flag("verbose").value_or(false);
    options.require_all_known();
  }

  bool wants_page() const {
    return std::find(formats.begin(), formats.end(), "html") != formats.end();
  }

  Registry registry;
  Config layer;
  std::filesystem::path config_file;
  bool isolated;
  process::ReadingPolicy policy;
  ReadOptions read;
  std::optional<TraceOptions> trace;
  std::vector<std::string> formats;
  Style style;
};

FileTask task_of(const CalledModel& model, const CheckOptions& options) {
  FileTask task;
  task.file.name = model.name;
  task.file.path = model.path;
  SettingsSource source(options.registry, options.layer, options.config_file, options.isolated);
  task.settings = source.settings_for(model.name);
  if (options.trace) task.trace = std::make_shared<const TraceOptions>(*options.trace);
  if (options.wants_page()) task.describe = add_model_documents;
  return task;
}

std::string written(const ModelReport& report, const std::string& format,
                    const CheckOptions& options, const std::string& preset) {
  std::ostringstream out;
  const auto writer = make_report_writer(format, out, options.style, all_rules(options.registry));
  RunSummary summary;
  summary.add(report);
  summary.for_quantisers = asked_by_quantisers(report);
  if (preset != standard_preset) summary.preset = preset;
  writer->begin();
  writer->add(report);
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
                          ? lint_file_confined(task, options.read, options.policy)
                          : lint_file(task, options.read);
  results.add(result);
  if (reader == Reader::confined)
    add_edits_confined(result.report.findings, task.settings->sandbox, task.settings->roots());
  else
    fixes::add_edits(result.report.findings, task.settings->roots());
  if (options.wants_page()) add_source_documents(result.report, task.settings->roots());
  LogEntries log = log_of_settings({task});
  for (const LogEntries& entries : {validation_log(result.report), log_of(result)})
    log.insert(log.end(), entries.begin(), entries.end());
  if (const auto open = process::missing_protection(task.settings->sandbox);
      reader == Reader::confined && !open.empty())
    log.insert(log.begin(), {LogLevel::warning, open});
  Reply reply{static_cast<int>(results.outcome()), {{"log", log_as_json(log)}}};
  for (const std::string& format : options.formats)
    reply.texts[format] = written(result.report, format, options, task.settings->preset);
  return reply;
}

} // namespace model_validator
