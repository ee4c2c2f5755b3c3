#include "report/formats.h"
#include "report/model_json.h"

#include <ostream>

namespace model_validator {
namespace {

/// One JSON object per line: each finding, then its model, and the summary at the end.
class JsonLines final : public ReportWriter {
public:
  explicit JsonLines(std::ostream& out) : out_(out) {}

  void add(const ModelReport& report) override {
    const CodeOwners owners(report.findings);
    for (const Diagnostic& finding : report.findings) {
      Json line{{"type", "finding"}, {"path", report.path}};
      line.update(to_json(finding, owners));
      write(line);
    }
    Json line{{"type", "model"}};
    line.update(to_json(report));
    line["findings"] = report.findings.size();
    write(line);
  }

  void end(const RunSummary& summary) override {
    Json line{{"type", "summary"}, {"schema", report_schema}};
    line.update(to_json(summary));
    write(line);
  }

private:
  void write(const Json& line) { out_ << json_text(line) << '\n'; }
  std::ostream& out_;
};

} // namespace

std::unique_ptr<ReportWriter> make_jsonl(std::ostream& out, const Style&, const Rules&) {
  return std::make_unique<JsonLines>(out);
}

} // namespace model_validator
