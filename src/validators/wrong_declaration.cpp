#include "connected_graph/shapes/symbolic_shapes.h"
#include "validators/checks.h"
#include "validators/op_finding.h"

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "wrong-declaration",
                        .code = "SHP004",
                        .summary = "a declared shape is not what the operators yield",
                        .severity = Severity::warning,
                        .about_code = false};

void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  if (!graph.shapes) return;
  for (const auto& each : graph.shapes->wrong_declarations) {
    if (each.op == none) continue;
    const std::string what = each.output ? "output" : "value";
    Diagnostic finding = finding_of(graph, each.op, diagnostics,
                                    what + " `" + each.value + "` is declared as " + each.declared +
                                        ", but is " + each.found);
    finding.notes.push_back("runtimes go by what is computed, but optimisers and converters may "
                            "go by what is declared");
    finding.help = "correct the declaration: remove the shape, and let `onnx.shape_inference` "
                   "write it anew";
    diagnostics.add(std::move(finding));
  }
}

} // namespace

const Check checks::wrong_declaration(rule, run);

} // namespace model_validator
