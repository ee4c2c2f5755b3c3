#include "connected_graph/operand_parameter.h"
#include "connected_graph/operators.h"
#include "text/numbers.h"
#include "validators/checks.h"
#include "validators/likely_magnitudes.h"
#include "validators/op_finding.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>
#include <model_validator/program.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "unlike-ranges",
                        .code = "QNT013",
                        .summary = "what eight bits would store with one scale differs too much"};

constexpr double steps = 256;
/// With fewer of them, four bits would hold the value.
constexpr double few_steps = 16;
/// From so many keys on, the usual probability is a quarter of a step and less.
constexpr std::int64_t max_keys = 1024;
/// How far back what an op only moves is followed, in ops.
constexpr int farthest = 16;

constexpr auto joining = word_array<"cat concat concatenate stack hstack vstack dstack">;
constexpr auto bounding = word_array<"sigmoid softmax _softmax hardsigmoid tanh">;
constexpr auto products = word_array<"matmul bmm mm">;

class RangeChecker {
public:
  RangeChecker(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics)
      : graph_(graph), context_(context), diagnostics_(diagnostics) {}

  void run() {
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      const Op& op = graph_.op(id);
      if (op.kind != OpKind::functional && op.kind != OpKind::module) continue;
      if (contains(joining, op.type)) check_join(id);
      if (op.type == "add" || op.type == "sub") check_offset(id);
      if (op.type == "softmax" || op.type == "_softmax") check_softmax(id);
    }
  }

private:
  std::size_t computed_operands(OpId id) const {
    const std::vector<OpId> all = operand_ops(graph_, id);
    return static_cast<std::size_t>(std::ranges::count_if(
        all, [&](OpId each) { return graph_.op(each).kind != OpKind::constant; }));
  }

  /// Back over ops that only move values, but for those that join them.
  OpId behind(OpId id) const {
    for (int distance = 0; distance < farthest; ++distance) {
      const Op& op = graph_.op(id);
      if (contains(joining, op.type) || !does(op.type, moves | Does::converts)) break;
      const OpId before = op_at_operand(graph_, id, 0);
      if (before == none) break;
      id = before;
    }
    return id;
  }

  /// Estimated when the first op asks, because most models have none that does.
  const std::optional<Magnitude>& magnitude(OpId id) {
    if (!magnitudes_) magnitudes_ = likely_magnitudes(graph_, context_);
    return magnitudes_->ops[id];
  }

  void check_join(OpId id) {
    OpId bounded = none;
    std::vector<OpId> others;
    for (const OpId each : operand_ops(graph_, id)) {
      const OpId made = behind(each);
      if (contains(bounding, graph_.op(made).type))
        bounded = made;
      else
        others.push_back(made);
    }
    if (bounded == none) return;
    for (const OpId other : others) {
      const auto& large = magnitude(other);
      if (large && large->peak > steps / few_steps) return report_join(id, bounded, other, *large);
    }
  }

  void report_join(OpId id, OpId bounded, OpId other, const Magnitude& large) {
    const double left = std::floor(steps / large.peak);
    start(id,
          name(id) + " joins " + name(bounded) + ", which is at most 1, with " + name(other) +
              ", which is likely to reach " + rough_number(large.peak),
          left < 1 ? "with one scale for both, eight bits leave none of the smaller: all of it is "
                     "rounded to zero"
                   : "with one scale for both, eight bits leave " + short_number(left) +
                         " of 256 steps to the smaller",
          "make both outputs of the model, or leave this op in float (ONNX Runtime: "
          "`nodes_to_exclude`; NNCF: `ignored_scope`)");
  }

  /// What is far from zero beside how far apart its numbers are, because a constant was added.
  void check_offset(OpId id) {
    if (computed_operands(id) != 1 || !graph_.op(id).parameters.empty()) return;
    const auto& found = magnitude(id);
    if (!found || found->mean == 0) return;
    const double spread = found->peak - std::abs(found->mean);
    const double left = 2 * spread / (found->peak / steps);
    if (spread <= 0 || left >= few_steps) return;
    start(id,
          name(id) + " is likely to lie within " + rough_number(2 * spread) + " around " +
              rough_number(found->mean),
          "a scale that begins at zero leaves " + short_number(std::floor(left)) +
              " of 256 steps to it in eight bits",
          "add the number outside of the model, or leave this op in float (ONNX Runtime: "
          "`nodes_to_exclude`; NNCF: `ignored_scope`)");
  }

  void check_softmax(OpId id) {
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph_.graph()))) {
      const auto& shape = graph_.graph()[edge].type.shape;
      const Op& reader = graph_.op(boost::target(edge, graph_.graph()));
      if (!shape || shape->empty() || shape->back() < max_keys || !contains(products, reader.type))
        continue;
      return start(
          id, name(id) + " gives " + std::to_string(shape->back()) + " probabilities that sum to 1",
          "where they are alike, each is below half a step of eight bits, and is rounded "
          "to zero",
          "leave this op in float or 16 bits (ONNX Runtime: `nodes_to_exclude`; NNCF: "
          "`ignored_scope`)");
    }
  }

  std::string name(OpId id) const { return '`' + graph_.op(id).name + '`'; }

  void start(OpId id, std::string message, std::string note, std::string help) {
    Diagnostic finding = finding_of(graph_, id, diagnostics_, std::move(message));
    finding.notes.push_back(std::move(note));
    diagnostics_.add(std::move(finding), std::move(help));
  }

  const ConnectedGraph& graph_;
  const Context& context_;
  Diagnostics& diagnostics_;
  std::optional<Magnitudes> magnitudes_;
};

bool is_quantised(const ConnectedGraph& graph) {
  return graph.program != nullptr && graph.program->quantised;
}

/// Before a model is quantised: values of unlike ranges that would share a scale.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  if (!is_quantised(graph)) RangeChecker(graph, context, diagnostics).run();
}

} // namespace

const Check checks::unlike_ranges(rule, run);

} // namespace model_validator
