#include "requests/page_documents.h"

#include "report/excerpts.h"
#include "report/graph_writer.h"
#include "report/model_summary.h"

#include <sstream>

namespace model_validator {
namespace {

/// A browser needs a second for a hundred thousand.
constexpr std::size_t max_ops = 200'000;

} // namespace

void add_model_documents(const Model& model, ModelReport& report) {
  if (model.graph().op_count() > max_ops) return;
  std::ostringstream graph, inspection;
  write_graph_json(graph, model.graph(), model.trace() ? &*model.trace() : nullptr);
  write_summary_json(inspection, {model, {}, {}, {}});
  report.documents.graph = std::move(graph).str();
  report.documents.inspection = std::move(inspection).str();
}

void add_source_documents(ModelReport& report, const std::vector<SourceRoot>& roots) {
  report.documents.sources = excerpts_json(report.findings, MovedSources(roots).folders());
}

} // namespace model_validator
