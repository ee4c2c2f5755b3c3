#include "requests/diff_request.h"

#include "lint/run_results.h"
#include "report/graph_writer.h"
#include "report/model_difference.h"
#include "report/page.h"

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

} // namespace

void describe_difference(const std::filesystem::path& first, const std::filesystem::path& second,
                         const DiffRequest& request, Findings& found) {
  const auto difference = compare_models(first, second, request.read);
  if (request.format == "json")
    write_difference_json(found.output, difference);
  else if (request.format == "html")
    write_page(found.output, difference, request.read);
  else
    write_difference_text(found.output, difference);
  if (difference.verdict != ModelDifference::Verdict::same_fingerprint)
    found.status = static_cast<int>(Outcome::findings);
}

} // namespace model_validator
