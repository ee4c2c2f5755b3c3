#include "connected_graph/shapes/symbolic_shapes.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/shape_facts.h"

#include <vector>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "shape-mismatch",
                        .code = "SHP002",
                        .summary = "an operator's operands cannot fit, whatever the input",
                        .severity = Severity::error,
                        .about_code = false,
                        .decides_verdicts = true};

/// What only some paths run, or no output needs, a runtime sees when it loads the file, by working
/// out the shapes there as we do.
bool will_fail(const shapes::Mismatch& mismatch, const std::vector<bool>& needed) {
  if (!mismatch.conditional && needed.at(mismatch.node)) return true;
  return mismatch.fails == shapes::Fails::at_load;
}

void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  if (!graph.shapes || graph.shapes->facts.mismatches.empty()) return;
  const std::vector<bool> needed = needed_for_outputs(graph);
  std::vector<bool> told(graph.op_count(), false);
  for (const shapes::Mismatch& mismatch : graph.shapes->facts.mismatches) {
    if (told[mismatch.node] || !will_fail(mismatch, needed)) continue;
    told[mismatch.node] = true;
    Diagnostic finding = finding_of(graph, mismatch.node, diagnostics,
                                    "the operands of `" + graph.op(mismatch.node).type +
                                        "` cannot fit: " + mismatch.sentence);
    finding.refused_by = {every_target};
    finding.notes = mismatch.origins;
    finding.notes.push_back(
        mismatch.fails == shapes::Fails::at_load
            ? "ONNX Runtime refuses to load such a file"
            : "ONNX Runtime may load the file, but fails when it gets to this op");
    finding.help = "export the model again; if that gives the same file, the exporter, or what "
                   "changed the file after it, wrote a wrong weight or a wrong setting";
    diagnostics.add(std::move(finding));
  }
}

} // namespace

const Check checks::shape_mismatch(rule, run);

} // namespace model_validator
