#include "connected_graph/exporter.h"
#include "connected_graph/value_readers.h"
#include "text/places.h"
#include "validators/checks.h"
#include "validators/op_finding.h"

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "data-dependent-control-flow",
                        .code = "GRA006",
                        .summary = "an `if` or a loop depends on the values of a tensor",
                        .severity = Severity::warning,
                        .needs = Need::branches};

std::string help_for(const ConnectedGraph& graph) {
  return std::string("compute both sides and choose with ") +
         (is_of_torch(graph.origin) ? "`torch.where`" : "`Where`") +
         ", or decide before the export";
}

/// What Python decided while the model was traced is not in the graph.
Diagnostic finding_of_decision(const ConnectedGraph& graph, const TracedDecision& decision,
                               const Diagnostics& diagnostics) {
  Diagnostic finding = diagnostics.start(
      decision.branch ? "an `if` or a loop depends on the values of a tensor"
                      : "Python makes a number of the values of a tensor, for itself to go by");
  finding.locations.push_back({decision.source, {}, "values are read", {}});
  finding.notes.emplace_back(decision.branch
                                 ? "the trace holds only the side that these inputs take"
                                 : "the trace keeps the number that these inputs give");
  finding.help = help_for(graph);
  return finding;
}

/// Branches and loops that depend on the values of a tensor.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  if (context.decisions != nullptr)
    for (const TracedDecision& decision : *context.decisions)
      diagnostics.add(finding_of_decision(graph, decision, diagnostics));
  const NumbersOfData numbers(graph);
  for (OpId id = 0; id < graph.op_count(); ++id) {
    if (graph.op(id).kind != OpKind::control_flow) continue;
    const OpId reader = numbers.source_of_condition(id);
    if (reader == none) continue;
    Diagnostic finding =
        finding_of(graph, id, diagnostics,
                   (graph.op(id).type == "loop" ? "a loop depends" : "an `if` depends") +
                       std::string(" on the values of a tensor"));
    const std::string at = place(graph.location(graph.user_frame(graph.op(reader).frame)));
    if (!at.empty()) finding.notes.push_back("the values are read at " + at);
    diagnostics.add(std::move(finding), help_for(graph));
  }
}

} // namespace

const Check checks::data_dependent_control_flow(rule, run);

} // namespace model_validator
