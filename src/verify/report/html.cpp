#include "report/page.h"

#include <model_validator/verify/render.h>

#include <sstream>

namespace model_validator::verify {

std::string render_html(const VerifyReport& report, std::string_view graph) {
  std::ostringstream out;
  Page page(out);
  page.add("main", render_json(report));
  if (!graph.empty()) page.add("graph", graph, 0);
  page.finish();
  return std::move(out).str();
}

} // namespace model_validator::verify
