#include "report/formats.h"
#include "report/model_json.h"
#include "report/version.h"

#include <ostream>

namespace model_validator {
namespace {

/// One document for the run, written model by model.
class JsonReport final : public ReportWriter {
public:
  explicit JsonReport(std::ostream& out) : out_(out) {}

  void begin() override {
    out_ << "{\n  \"schema\": " << json_text(report_schema)
         << ",\n  \"version\": " << json_text(version) << ",\n  \"models\": [";
  }

  void add(const ModelReport& report) override {
    out_ << (first_ ? "\n" : ",\n") << json_block(to_json(report), 4);
    first_ = false;
  }

  void end(const RunSummary& summary) override {
    out_ << (first_ ? "" : "\n  ") << "],\n  \"summary\": " << json_text(to_json(summary))
         << "\n}\n";
  }

private:
  std::ostream& out_;
  bool first_ = true;
};

} // namespace

std::unique_ptr<ReportWriter> make_json(std::ostream& out, const Style&, const Rules&) {
  return std::make_unique<JsonReport>(out);
}

} // namespace model_validator
