#include "report/cause.h"
#include "report/code_frame.h"
#include "report/formats.h"
#include "report/names.h"
#include "report/summary.h"
#include "report/text_report.h"
#include "text/escape.h"
#include "text/width.h"

#include <utility>

namespace model_validator {
namespace {

/// The report for people: one paragraph per cause, as compilers print them.
class Full final : public TextReport {
public:
  Full(std::ostream& out, const Style& style)
      : TextReport(out, style, style.verbose ? std::vector<std::string>{} : style.grouped_rules) {}

  void add(const ModelReport& report) override {
    if (holds_no_model(report)) return;
    if (write_notice(report)) out_ << '\n';
    const auto causes = causes_to_print(report);
    if (report.error) write_error(report);
    write_causes(causes, report.path);
    const bool wrote = write_verdicts(report, !causes.empty());
    const bool alone = causes.empty() && !report.error;
    among_verdicts_ = alone && (wrote || among_verdicts_);
  }

  void end(const RunSummary& summary) override {
    for (const GroupedFindings::OfModel& each : grouped_.few())
      write_causes(repeats_.fresh(causes_of(each.findings, {}), each.model), each.model);
    write_repeats();
    write_groups();
    write_installed();
    part_from_verdicts();
    write_end(summary);
    if (style_.quiet) return;
    const bool bad = summary.errors + summary.warnings + summary.unreadable > 0;
    const std::string text = sentence(summary);
    out_ << (bad ? paint_.bold(text) : paint_.green(text)) << '\n';
  }

private:
  void part_from_verdicts() {
    if (std::exchange(among_verdicts_, false)) out_ << '\n';
  }

  void section(const std::string& title) {
    part_from_verdicts();
    out_ << paint_.bold("== " + title) << "\n\n";
  }

  void write_causes(const std::vector<Cause>& causes, const std::string& model) {
    if (style_.many_models && !causes.empty()) section(escape(model));
    for (const Cause& cause : causes) write_cause(cause, model);
  }

  void write_groups() {
    const std::vector<FindingGroup> groups = grouped_.groups();
    if (groups.empty()) return;
    part_from_verdicts();
    out_ << paint_.bold(title_of_groups) << ":\n";
    for (const FindingGroup& group : groups)
      out_ << "  " << label_of(group.first, paint_) << ' ' << group.first.rule << ": "
           << escape(line_of(group)) << '\n';
    out_ << after_groups << "\n\n";
  }

  /// Like a finding, but of no rule.
  void write_error(const ModelReport& report) {
    Diagnostic error;
    error.severity = Severity::error;
    error.message = report.error->what();
    error.help = report.error->hint();
    if (!repeats_.is_fresh(error, unread_file(report))) return;
    part_from_verdicts();
    write_headline(error);
    arrow(1, escape(unread_file(report)));
    if (!error.help.empty()) remark(1, paint_.cyan("help"), "help", error.help);
    out_ << '\n';
  }

  void write_cause(const Cause& cause, const std::string& model) {
    const Diagnostic& finding = *cause.first;
    write_headline(finding);
    const DiagnosticLocation* location = first_location(finding);
    const std::size_t gutter = gutter_of(location);
    arrow(gutter, place_of(finding, model));
    if (location) write_code(*location, gutter);
    write_notes(cause, gutter);
    if (!finding.help.empty()) remark(gutter, paint_.cyan("help"), "help", finding.help);
    out_ << '\n';
  }

  void write_repeats() {
    const std::vector<Repeat> repeats = repeats_.all();
    if (!repeats.empty()) section("found in several models");
    for (const Repeat& repeat : repeats) {
      write_headline(repeat.finding);
      const std::size_t gutter = gutter_of(first_location(repeat.finding));
      arrow(gutter, place_of(repeat.finding, repeat.first));
      remark(gutter, paint_.bold("note"), "note", repeat_note(repeat));
      out_ << '\n';
    }
  }

  void write_installed() {
    bool begun = false;
    for (const InstalledFindings& each : installed_.all()) {
      if (each.excused) continue;
      if (!std::exchange(begun, true)) begin_installed();
      write_headline(each.first, each.headline());
      arrow(1, escape(models_of(each, 3)));
      if (const std::string what = each.what(); !what.empty())
        remark(1, paint_.bold("note"), "note", what);
      if (!each.help().empty()) remark(1, paint_.cyan("help"), "help", each.help());
      out_ << '\n';
    }
  }

  void begin_installed() {
    part_from_verdicts();
    if (style_.many_models) section("found in installed packages");
  }

  void write_headline(const Diagnostic& finding) { write_headline(finding, finding.message); }

  void write_headline(const Diagnostic& finding, const std::string& message) {
    if (finding.rule.empty()) return headline(paint_.red("error") + ":", 6, message);
    headline(label_of(finding, paint_), display_width(label_of(finding, Paint(false))),
             finding.rule + ": " + message);
  }

  static std::size_t gutter_of(const DiagnosticLocation* location) {
    return location ? std::to_string(location->source.line).size() : 1;
  }

  void write_code(const DiagnosticLocation& location, std::size_t gutter) {
    const std::size_t room = style_.width > gutter + 3 ? style_.width - gutter - 3 : style_.width;
    const CodeFrame frame = code_frame(location, room);
    if (frame.code.empty()) return;
    const std::string margin(gutter, ' ');
    out_ << margin << paint_.blue(" |") << '\n'
         << paint_.blue(std::to_string(location.source.line) + " |") << ' ' << frame.code << '\n'
         << margin << paint_.blue(" |") << ' ' << paint_.yellow(frame.carets);
    if (!location.role.empty()) out_ << ' ' << paint_.yellow(escape(location.role));
    out_ << '\n';
  }

  void write_notes(const Cause& cause, std::size_t gutter) {
    const Diagnostic& finding = *cause.first;
    for (const std::string& note : finding.notes) remark(gutter, paint_.bold("note"), "note", note);
    if (const std::string others = others_note(cause, style_.verbose ? 0 : 6); !others.empty())
      remark(gutter, paint_.bold("note"), "note", others);
    if (finding.excused)
      remark(gutter, paint_.bold("note"), "note",
             "it does not count: it is in an installed package, which you cannot edit");
    if (finding.suppressed)
      remark(gutter, paint_.bold("note"), "note",
             "suppressed by " + finding.suppressed->by +
                 (finding.suppressed->reason.empty() ? "" : ": " + finding.suppressed->reason));
  }

  /// `label: text`, wrapped under the text.
  void headline(const std::string& label, std::size_t label_width, const std::string& text) {
    out_ << label << ' ';
    hanging(escape(text), label_width + 1, 4, true);
  }

  void arrow(std::size_t gutter, const std::string& place) {
    out_ << std::string(gutter, ' ') << paint_.blue("-->") << ' ' << place << '\n';
  }

  void remark(std::size_t gutter, const std::string& painted, const std::string& label,
              const std::string& text) {
    out_ << std::string(gutter, ' ') << paint_.blue(" =") << ' ' << painted << ": ";
    const std::size_t indent = gutter + label.size() + 5;
    hanging(escape(text), indent, indent, false);
  }

  /// A text that begins in column `first` and goes on in column `next`.
  void hanging(const std::string& text, std::size_t first, std::size_t next, bool bold) {
    const std::size_t width =
        style_.width > first + 20 ? style_.width - std::max(first, next) : std::string::npos;
    bool begun = false;
    for (const std::string& line : wrap(text, width)) {
      if (begun) out_ << std::string(next, ' ');
      out_ << (bold ? paint_.bold(line) : line) << '\n';
      begun = true;
    }
  }

  bool among_verdicts_ = false; ///< the line before is the verdict on a model without findings
};

} // namespace

std::unique_ptr<ReportWriter> make_full(std::ostream& out, const Style& style, const Rules&) {
  return std::make_unique<Full>(out, style);
}

} // namespace model_validator
