#include "requests/quantise_plan_request.h"

#include "report/quantise_plan_report.h"

#include <model_validator/quantise_plan.h>

namespace model_validator {

void describe_quantise_plan(const std::filesystem::path& file, const QuantisePlanRequest& request,
                            const TargetProfile& target, const QuantisationScheme& scheme,
                            Findings& found) {
  const ConnectedGraph graph = read_graph(file, request.read);
  const QuantisePlan plan = plan_quantisation(graph, target, scheme);
  if (request.format == "json")
    write_quantise_plan_json(found.output, graph, plan);
  else
    write_quantise_plan_text(found.output, graph, plan, request.style);
}

} // namespace model_validator
