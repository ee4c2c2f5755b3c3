#include "connected_graph/op_type.h"
#include "rules/judging/contradiction.h"
#include "rules/judging/node_place.h"
#include "rules/onnx_schemas.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/suggestions/operators.h"

#include <string>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "unknown-operator",
                        .code = "SER003",
                        .summary = "an operator of ONNX's own domain that ONNX does not have",
                        .severity = Severity::error,
                        .about_code = false,
                        .decides_verdicts = true};

/// Operators of ONNX's own domains that no version of ONNX has: no runtime loads the file, but one
/// that does not look there.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  if (graph.origin.format != FileFormat::onnx || !graph.program) return;
  const rules::NodePlaces places(*graph.program, graph.regions());
  for (OpId id = 0; id < graph.op_count(); ++id)
    for (const Operator& each : operators_of(graph.op(id))) {
      if (!rules::is_misnamed(each.schema)) continue;
      std::vector<std::string> refusers =
          rules::refusers_of({"operator", each.schema, places.of(id)}, context.targets, graph);
      if (refusers.empty()) continue;
      const std::string name(bare_operator(each.schema));
      Diagnostic finding =
          finding_of(graph, id, diagnostics, "no version of ONNX has an operator `" + name + "`");
      finding.refused_by = std::move(refusers);
      finding.notes.emplace_back(
          "no function of the file has that name either, so no runtime loads "
          "the model");
      if (const std::string nearest = rules::nearest_operator(each.schema); !nearest.empty())
        finding.help =
            "did you mean `" + nearest + "`? A custom operator needs a domain of its own";
      else
        finding.help = "a custom operator needs a domain of its own";
      diagnostics.add(std::move(finding));
    }
}

} // namespace

const Check checks::unknown_operator(rule, run);

} // namespace model_validator
