#include "validators/data_dependent_control_flow.h"

#include "text/places.h"
#include "validators/op_finding.h"
#include "validators/operators.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace model_validator {
namespace {

constexpr RuleInfo rule = {"data-dependent-control-flow",
                           "GRA006",
                           "validate_for_data_dependent_control_flow",
                           "an `if` or a loop depends on the values of a tensor",
                           Severity::warning,
                           true};

/// Queries that look at the values of a tensor, not at its size, dtype or device.
constexpr std::array reads_values = std::to_array<std::string_view>(
    {"Bool", "Float", "Int", "ScalarImplicit", "_local_scalar_dense", "allclose", "equal",
     "is_nonzero", "item", "tolist"});

bool is_reader(const Op& op) {
  return op.kind == OpKind::query &&
         std::find(reads_values.begin(), reads_values.end(), op.type) != reads_values.end();
}

/// Computes on values of the model, which are unknown before it runs.
bool carries_data(const Op& op) {
  return op.kind == OpKind::functional || op.kind == OpKind::module || op.kind == OpKind::input;
}

bool reads_data(const ConnectedGraph& graph, OpId reader) {
  const auto edges = boost::make_iterator_range(boost::in_edges(reader, graph.graph()));
  return std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
    return carries_data(graph.op(boost::source(edge, graph.graph())));
  });
}

/// The operands that decide: the first of a control-flow op.
std::vector<OpId> conditions_of(const ConnectedGraph& graph, OpId id) {
  const AttributeValue* count = find_attribute(graph.op(id).attributes, "condition_operands");
  const auto* number = count ? std::get_if<std::int64_t>(count) : nullptr;
  std::vector<OpId> conditions;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
    if (number && graph.graph()[edge].input < static_cast<std::size_t>(*number))
      conditions.push_back(boost::source(edge, graph.graph()));
  return conditions;
}

/// The query that brings a tensor's values into the condition; `none` where none does.
OpId find_reader(const ConnectedGraph& graph, OpId control_flow) {
  std::vector<OpId> pending = conditions_of(graph, control_flow);
  std::set<OpId> seen(pending.begin(), pending.end());
  while (!pending.empty()) {
    const OpId id = pending.back();
    pending.pop_back();
    if (is_reader(graph.op(id)) && reads_data(graph, id)) return id;
    const OpKind kind = graph.op(id).kind;
    if (kind != OpKind::query && kind != OpKind::control_flow) continue; // `a and b` is an `if`
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
      if (const OpId from = boost::source(edge, graph.graph()); seen.insert(from).second)
        pending.push_back(from);
  }
  return none;
}

} // namespace

const RuleInfo& DataDependentControlFlow::info() const { return rule; }

void DataDependentControlFlow::run(const ConnectedGraph& graph, const Context& /*context*/,
                                   Diagnostics& diagnostics) const {

  for (OpId id = 0; id < graph.op_count(); ++id) {
    if (graph.op(id).kind != OpKind::control_flow) continue;
    const OpId reader = find_reader(graph, id);
    if (reader == none) continue;
    Diagnostic finding =
        finding_of(graph, id, diagnostics,
                   (graph.op(id).type == "loop" ? "a loop depends" : "an `if` depends") +
                       std::string(" on the values of a tensor"));
    const std::string at = place(graph.location(graph.user_frame(graph.op(reader).frame)));
    if (!at.empty()) finding.notes.push_back("the values are read at " + at);
    finding.help = "compute both sides and choose with `torch.where`, or decide before the export";
    diagnostics.add(std::move(finding));
  }
}

} // namespace model_validator
