#include "report/cause.h"
#include "report/formats.h"
#include "report/names.h"
#include "report/text_report.h"
#include "text/escape.h"

namespace model_validator {
namespace {

/// One line per cause, for searching and for editors.
class Concise final : public TextReport {
public:
  Concise(std::ostream& out, const Style& style) : TextReport(out, style) {}

  void add(const ModelReport& report) override {
    if (holds_no_model(report)) return;
    write_notice(report);
    if (report.error) {
      const Error& error = *report.error;
      out_ << escape(unread_file(report)) << ": " << paint_.red("error") << ": "
           << escape(error.what());
      if (!error.hint().empty()) out_ << " (" << escape(error.hint()) << ")";
      out_ << '\n';
    }
    for (const Cause& cause : causes_to_print(report)) {
      begin_line(*cause.first, report.path);
      if (cause.all.size() > 1) out_ << " (and " << cause.all.size() - 1 << " more)";
      end_line(*cause.first, report.path);
    }
    write_verdicts(report, false);
  }

  void end(const RunSummary& summary) override {
    for (const Repeat& repeat : repeats_.all()) {
      begin_line(repeat.finding, repeat.first);
      out_ << " (" << escape(repeat_note(repeat)) << ")";
      end_line(repeat.finding, repeat.first);
    }
    for (const InstalledFindings& each : installed_.all()) {
      if (each.excused) continue;
      out_ << paint_.bold(escape(models_of(each, 1))) << ": " << label_of(each.first, paint_) << ' '
           << each.first.rule << ": " << escape(each.headline());
      if (const std::string what = each.what(); !what.empty()) out_ << " (" << escape(what) << ")";
      out_ << '\n';
    }
    write_end(summary);
    if (!style_.quiet) out_ << sentence(summary) << '\n';
  }

private:
  void begin_line(const Diagnostic& finding, const std::string& model) {
    out_ << paint_.bold(place_of(finding, model)) << ": " << label_of(finding, paint_) << ' '
         << finding.rule << ": " << escape(finding.message);
  }

  void end_line(const Diagnostic& finding, const std::string& model) {
    if (first_location(finding) && style_.many_models) out_ << " [" << escape(model) << "]";
    if (finding.suppressed) out_ << " [suppressed by " << escape(finding.suppressed->by) << "]";
    out_ << '\n';
  }
};

} // namespace

std::unique_ptr<ReportWriter> make_concise(std::ostream& out, const Style& style, const Rules&) {
  return std::make_unique<Concise>(out, style);
}

} // namespace model_validator
