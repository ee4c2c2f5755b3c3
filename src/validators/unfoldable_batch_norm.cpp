#include "connected_graph/attributes.h"
#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"
#include "text/places.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/suggestions/operators.h"

#include <algorithm>

namespace model_validator {
namespace {

constexpr RuleInfo rule = {"unfoldable-batch-norm", "QNT001",
                           "a batch norm has no convolution or linear layer to be folded into",
                           Severity::info, false};

/// Exporters fold a batch norm into the convolution before it, and give the convolution its name.
bool is_folded(const Op& op) {
  return std::ranges::any_of(operators_of(op), [](const Operator& each) {
    const std::string type = type_of_schema(each.schema);
    return type.starts_with("conv") || type == "gemm" || type == "mat_mul" || type == "matmul";
  });
}
bool is_batch_norm(const Op& op) {
  return (op.type.starts_with("batch_norm") || op.type == "sync_batch_norm") && !is_folded(op);
}
/// Of a module that torch fused for quantisation-aware training: it keeps the batch norm apart for
/// as long as it trains, and folds it when it is converted.
bool belongs_to_fused_layer(const ConnectedGraph& graph, const Op& op) {
  return op.parent != none &&
         graph.module(op.parent).class_name.find(".intrinsic.qat.") != std::string::npos;
}
bool has_weights_to_fold_into(const Op& op) {
  return op.type.starts_with("conv") || op.type == "linear";
}
/// Ops that change nothing when the model runs.
bool passes_through(const Op& op) { return does(op.type, Does::keeps | Does::drops_out); }

/// The one op that the data of an op comes from, or goes to; `none` where there are several.
OpId only_source(const ConnectedGraph& graph, OpId id) {
  OpId source = none;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
    if (graph.graph()[edge].input == 0) source = boost::source(edge, graph.graph());
  return source;
}
OpId only_target(const ConnectedGraph& graph, OpId id) {
  OpId target = none;
  for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph.graph()))) {
    const OpId to = boost::target(edge, graph.graph());
    if (graph.op(to).kind == OpKind::query) continue;
    if (target != none) return none;
    target = to;
  }
  return target;
}

/// Back over ops that change nothing, as long as nothing else reads what they pass on.
bool folds_backwards(const ConnectedGraph& graph, OpId id) {
  for (OpId next = id, source = only_source(graph, id); source != none;
       next = source, source = only_source(graph, source)) {
    if (only_target(graph, source) != next) return false;
    if (has_weights_to_fold_into(graph.op(source))) return true;
    if (!passes_through(graph.op(source))) return false;
  }
  return false;
}

bool pads_with_zeros(const ConnectedGraph& graph, const Op& op) {
  const auto adds = [](const AttributeValue* padding) {
    const auto* sizes = padding ? std::get_if<std::vector<std::int64_t>>(padding) : nullptr;
    return sizes && std::ranges::any_of(*sizes, [](auto size) { return size != 0; });
  };
  if (op.kind == OpKind::module &&
      adds(find_attribute(graph.module(op.module).attributes, "padding")))
    return true;
  return std::ranges::any_of(operators_of(op), [&](const Operator& each) {
    return adds(find_attribute(each.attributes, "padding"));
  });
}

/// Into the next layer, unless that pads: the border would miss what is folded in.
bool folds_forwards(const ConnectedGraph& graph, OpId id) {
  for (OpId target = only_target(graph, id); target != none; target = only_target(graph, target)) {
    if (has_weights_to_fold_into(graph.op(target)))
      return !pads_with_zeros(graph, graph.op(target));
    if (!passes_through(graph.op(target))) return false;
  }
  return false;
}

/// Batch norms that cannot be folded into a neighbour.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {

  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    if (!is_batch_norm(op) || belongs_to_fused_layer(graph, op) || folds_backwards(graph, id) ||
        folds_forwards(graph, id))
      continue;
    Diagnostic finding =
        finding_of(graph, id, diagnostics,
                   op.kind == OpKind::module
                       ? spoken_module(graph.module(op.module), "batch norm ") + " cannot be folded"
                       : "batch norm `" + op.name + "` cannot be folded");
    finding.notes.emplace_back("neither the op before it nor the one after it is a convolution or "
                               "linear layer that nothing else reads");
    finding.help = "put it right after a convolution or linear layer, or keep it in floating point";
    diagnostics.add(std::move(finding));
  }
}

} // namespace

const Check checks::unfoldable_batch_norm(rule, run);

} // namespace model_validator
