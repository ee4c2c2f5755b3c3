#include "connected_graph/shapes/symbolic_shapes.h"
#include "rules/judging/contradiction.h"
#include "rules/judging/node_place.h"
#include "validators/checks.h"
#include "validators/op_finding.h"

#include <model_validator/data/contains.h>

#include <string>
#include <string_view>
#include <vector>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "shape-mismatch",
                        .code = "SHP002",
                        .summary = "an operator's operands cannot fit, whatever the input",
                        .severity = Severity::error,
                        .about_code = false,
                        .decides_verdicts = true};

/// What only some paths run, a runtime sees when it loads the file, where it works out the shapes
/// there as we do.
rules::Contradiction contradiction_of(const shapes::Mismatch& mismatch, const char* place,
                                      bool runs) {
  const bool later = mismatch.conditional && mismatch.fails == shapes::Fails::when_run;
  constexpr std::string_view before_what = ": ";
  const std::size_t end = mismatch.reason.find(before_what);
  return {rules::kind_of_sizes(mismatch.inputs),
          mismatch.schema,
          later ? rules::may_not_run : place,
          mismatch.reason.substr(0, end),
          end == std::string::npos ? "" : mismatch.reason.substr(end + before_what.size()),
          runs};
}

void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  if (!graph.shapes || graph.shapes->facts.mismatches.empty()) return;
  if (!graph.program) return;
  const rules::NodePlaces places(*graph.program, graph.regions());
  std::vector<bool> told(graph.op_count(), false);
  for (const shapes::Mismatch& mismatch : graph.shapes->facts.mismatches) {
    if (told[mismatch.node]) continue;
    const rules::Contradiction contradiction =
        contradiction_of(mismatch, places.of(mismatch.node), places.runs(mismatch.node));
    std::vector<std::string> refusers = rules::refusers_of(contradiction, context.targets, graph);
    const bool left_out =
        contradiction.where == "dead" && mismatch.fails == shapes::Fails::when_run;
    if (refusers.empty() || (left_out && contains(refusers, every_target))) continue;
    told[mismatch.node] = true;
    Diagnostic finding = finding_of(graph, mismatch.node, diagnostics,
                                    "the operands of `" + graph.op(mismatch.node).type +
                                        "` cannot fit: " + mismatch.sentence);
    finding.refused_by = std::move(refusers);
    finding.notes = mismatch.origins;
    finding.notes.push_back(
        mismatch.fails == shapes::Fails::at_load
            ? "ONNX Runtime refuses to load such a file"
            : "ONNX Runtime may load the file, but fails when it gets to this op");
    finding.contradiction = contradiction.names().front();
    finding.help = "export the model again; if that gives the same file, the exporter, or what "
                   "changed the file after it, wrote a wrong weight or a wrong setting";
    diagnostics.add(std::move(finding));
  }
}

} // namespace

const Check checks::shape_mismatch(rule, run);

} // namespace model_validator
