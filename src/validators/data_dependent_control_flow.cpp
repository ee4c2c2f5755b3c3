#include "connected_graph/exporter.h"
#include "connected_graph/value_readers.h"
#include "text/places.h"
#include "validators/checks.h"
#include "validators/op_finding.h"

namespace model_validator {
namespace {

constexpr RuleInfo rule = {"data-dependent-control-flow", "GRA006",
                           "an `if` or a loop depends on the values of a tensor", Severity::warning,
                           true};

/// Branches and loops that depend on the values of a tensor.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {

  for (OpId id = 0; id < graph.op_count(); ++id) {
    if (graph.op(id).kind != OpKind::control_flow) continue;
    const OpId reader = reader_in_condition(graph, id);
    if (reader == none) continue;
    Diagnostic finding =
        finding_of(graph, id, diagnostics,
                   (graph.op(id).type == "loop" ? "a loop depends" : "an `if` depends") +
                       std::string(" on the values of a tensor"));
    const std::string at = place(graph.location(graph.user_frame(graph.op(reader).frame)));
    if (!at.empty()) finding.notes.push_back("the values are read at " + at);
    finding.help = std::string("compute both sides and choose with ") +
                   (is_of_torch(graph.origin) ? "`torch.where`" : "`Where`") +
                   ", or decide before the export";
    diagnostics.add(std::move(finding));
  }
}

} // namespace

const Check checks::data_dependent_control_flow(rule, run);

} // namespace model_validator
