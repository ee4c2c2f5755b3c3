#include "connected_graph/attributes.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/suggestions/operators.h"

namespace model_validator {
namespace {

constexpr RuleInfo rule = {"inplace-op", "GRA008", "an operation writes into its input",
                           Severity::info, false};

bool in_place(const Op& op) {
  return op.kind == OpKind::functional &&
         (writes_in_place(op.schema) || is_true(op.attributes, "inplace"));
}

/// Operations outside every module that write into their input.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {

  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    if (!in_place(op)) continue;
    diagnostics.add_with_change(
        finding_of(graph, id, diagnostics, "operation `" + op.type + "` writes into its input"),
        "give the result its own name: use the form without the underscore, or without "
        "`inplace=True`");
  }
}

} // namespace

const Check checks::inplace_op(rule, run);

} // namespace model_validator
