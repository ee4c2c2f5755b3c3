#include "report/formats.h"
#include "report/page.h"

#include <sstream>

namespace model_validator {
namespace {

/// The page: the report as JSON, and what else is known of each model.
class HtmlReport final : public ReportWriter {
public:
  explicit HtmlReport(std::ostream& out) : page_(out), report_(make_json(json_, {}, {})) {}

  void begin() override { report_->begin(); }

  void add(const ModelReport& report) override {
    report_->add(report);
    const ModelDocuments& documents = report.documents;
    for (const auto& [kind, json] :
         {std::pair("graph", &documents.graph), std::pair("inspect", &documents.inspection),
          std::pair("sources", &documents.sources)})
      if (!json->empty()) page_.add(kind, *json, models_);
    ++models_;
  }

  void end(const RunSummary& summary) override {
    report_->end(summary);
    page_.add("main", json_.str());
    page_.finish();
  }

private:
  Page page_;
  std::ostringstream json_;
  std::unique_ptr<ReportWriter> report_;
  std::size_t models_ = 0;
};

} // namespace

std::unique_ptr<ReportWriter> make_html(std::ostream& out, const Style&, const Rules&) {
  return std::make_unique<HtmlReport>(out);
}

} // namespace model_validator
