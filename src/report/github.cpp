#include "report/cause.h"
#include "report/formats.h"
#include "report/installed_code.h"
#include "report/names.h"
#include "report/repository.h"
#include "report/target_sentence.h"
#include "text/escape.h"

#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <ostream>

namespace model_validator {
namespace {

constexpr const char* line_break = "%0A";

/// A line of a workflow command's message, without what it may not hold.
std::string message_text(const std::string& text) {
  return boost::algorithm::replace_all_copy(escape(text), "%", "%25");
}

/// What the value of a property may not hold.
std::string property_text(const std::string& text) {
  std::string shown = message_text(text);
  boost::algorithm::replace_all(shown, ":", "%3A");
  boost::algorithm::replace_all(shown, ",", "%2C");
  return shown;
}

std::string file_shown(const std::string& file) {
  const std::string below = path_in_repository(file);
  return below.empty() ? file : below;
}

const char* command_for(Severity severity) {
  switch (severity) {
  case Severity::error: return "error";
  case Severity::warning: return "warning";
  default: return "notice";
  }
}

/// Annotations of a GitHub workflow. GitHub shows only the first few of a step, so the most severe
/// come first and the summary last.
class GitHub final : public ReportWriter {
public:
  explicit GitHub(std::ostream& out) : out_(out) {}

  void add(const ModelReport& report) override {
    if (report.status == ModelStatus::no_model) return;
    if (report.error) keep_error(report);
    for (const Cause& cause : causes_of(report.findings, {})) keep(cause, report.path);
    for (const TargetVerdict& verdict : report.verdicts)
      lines_.push_back({Severity::info, "::notice file=" + property_text(file_shown(report.path)) +
                                            ",title=target " + property_text(verdict.target) +
                                            "::" + message_text(sentence(verdict))});
    installed_.add(report.findings, report.path);
  }

  void end(const RunSummary& summary) override {
    for (const InstalledFindings& each : installed_.all()) keep(each);
    std::ranges::stable_sort(lines_,
                             [](const Line& a, const Line& b) { return a.severity > b.severity; });
    for (const Line& line : lines_) out_ << line.text << '\n';
    out_ << "::notice title=model_validator::" << message_text(sentence(summary));
    if (const std::string text = not_judged(summary); !text.empty())
      out_ << line_break << message_text(text);
    out_ << '\n';
  }

private:
  struct Line {
    Severity severity;
    std::string text;
  };

  void keep_error(const ModelReport& report) {
    const std::string& hint = report.error->hint();
    lines_.push_back(
        {Severity::error, "::error file=" + property_text(file_shown(report.path)) +
                              ",title=model_validator::" + message_text(report.error->what()) +
                              (hint.empty() ? "" : line_break + message_text("help: " + hint))});
  }

  void keep(const Cause& cause, const std::string& model) {
    const Diagnostic& finding = *cause.first;
    const DiagnosticLocation* location = location_at_hand(finding);
    std::string text = std::string("::") + command_for(finding.severity) + " file=" +
                       property_text(file_shown(location ? location->source.file : model));
    if (location) text += ",line=" + std::to_string(location->source.line);
    if (location && location->source.column > 0)
      text += ",col=" + std::to_string(location->source.column + 1);
    text += ",title=" + property_text(finding.code + " " + finding.rule) + "::";
    text += message_of(cause, model);
    lines_.push_back({finding.severity, text});
  }

  void keep(const InstalledFindings& each) {
    const Diagnostic& finding = each.first;
    const Severity severity = each.excused ? Severity::info : finding.severity;
    std::string text = std::string("::") + command_for(severity) +
                       " file=" + property_text(file_shown(each.models.front())) +
                       ",title=" + property_text(finding.code + " " + finding.rule) +
                       "::" + message_text(each.headline());
    const auto add = [&](const std::string& line) { text += line_break + message_text(line); };
    if (const std::string what = each.what(); !what.empty()) add("note: " + what);
    if (const std::string help = each.help(); !help.empty()) add("help: " + help);
    if (each.excused) add("note: it does not count: `--fail-on-installed` counts it");
    add("in " + models_of(each, 6));
    lines_.push_back({severity, text});
  }

  static std::string message_of(const Cause& cause, const std::string& model) {
    const Diagnostic& finding = *cause.first;
    std::string message = message_text(finding.message);
    const auto add = [&](const std::string& line) { message += line_break + message_text(line); };
    for (const std::string& note : finding.notes) add("note: " + note);
    if (const DiagnosticLocation* first = first_location(finding);
        first && !location_at_hand(finding))
      add("note: at " + place_elsewhere(first->source));
    if (const std::string others = others_note(cause, 6); !others.empty()) add("note: " + others);
    if (!finding.help.empty()) add("help: " + finding.help);
    add("in " + model);
    return message;
  }

  std::ostream& out_;
  std::vector<Line> lines_;
  InstalledCode installed_;
};

} // namespace

std::unique_ptr<ReportWriter> make_github(std::ostream& out, const Style&, const Rules&) {
  return std::make_unique<GitHub>(out);
}

} // namespace model_validator
