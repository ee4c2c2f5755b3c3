#include "lint/run_results.h"
#include "report/graph_writer.h"
#include "report/model_difference.h"
#include "report/page.h"
#include "requests/model_request.h"

namespace model_validator {
namespace {

/// The page: the difference, and both graphs.
void write_page(std::ostream& out, const ModelDifference& difference, const ReadOptions& read) {
  std::ostringstream json;
  write_difference_json(json, difference);
  Page page(out);
  page.add("main", json.str());
  std::size_t number = 0;
  for (const std::string& path : {difference.first_path, difference.second_path}) {
    std::ostringstream graph;
    write_graph_json(graph, read_graph(path, read));
    page.add("graph", graph.str(), number++);
  }
  page.finish();
}

/// Whether two models are the same, as text.
class DiffRequest final : public ModelRequest {
public:
  void run(Findings& found) const override {
    const auto difference = compare_models(models.front().path, models.back().path, read);
    if (format == "json")
      write_difference_json(found.output, difference);
    else if (format == "html")
      write_page(found.output, difference, read);
    else
      write_difference_text(found.output, difference);
    if (difference.verdict != ModelDifference::Verdict::same_fingerprint)
      found.status = static_cast<int>(Outcome::findings);
  }
};

} // namespace

std::unique_ptr<ModelRequest> make_diff_request() { return std::make_unique<DiffRequest>(); }

} // namespace model_validator
