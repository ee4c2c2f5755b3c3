#include "connected_graph/operand_parameter.h"
#include "connected_graph/operators.h"
#include "text/numbers.h"
#include "validators/checks.h"
#include "validators/guarded_values.h"
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
constexpr auto lists = word_array<"sequence_construct">;
constexpr auto padding = word_array<"pad constant_pad_nd">;
constexpr auto bounding = word_array<
    "sigmoid softmax _softmax hardsigmoid tanh erf sin cos softsign hardtanh relu6 clamp "
    "clip div">;
constexpr auto products = word_array<"matmul bmm mm einsum">;

class RangeChecker {
public:
  RangeChecker(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics)
      : graph_(graph), context_(context), diagnostics_(diagnostics) {}

  void run() {
    find_computed();
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      const Op& op = graph_.op(id);
      if (op.kind != OpKind::functional && op.kind != OpKind::module) continue;
      if (contains(joining, op.type)) check_parts(id, "joins");
      if (contains(padding, op.type)) check_padding(id);
      if (contains({"add", "sub"}, op.type)) check_sum(id);
      if (contains({"softmax", "_softmax"}, op.type)) check_softmax(id);
      if (op.type == "log") check_logarithm(id);
    }
  }

private:
  /// A constant, or a stored tensor as a grid is, in whose steps the sum is stored.
  void check_sum(OpId id) {
    if (graph_.op(id).kind != OpKind::functional) return;
    bool adds_values = !graph_.op(id).parameters.empty();
    std::size_t computed = 0;
    for (const OpId each : operand_ops(graph_, id)) {
      if (from_input_[each])
        ++computed;
      else
        adds_values = adds_values || graph_.op(each).kind != OpKind::constant;
    }
    if (computed != 1) return;
    if (adds_values)
      check_parts(id, "adds");
    else
      check_offset(id);
  }

  /// Whether some operand may be bounded, which is asked before any weight is read.
  bool has_bounded_operand(OpId id) const {
    return std::ranges::any_of(operand_ops(graph_, id), [&](OpId each) {
      for (int distance = 0; distance < farthest && each != none; ++distance) {
        const Op& op = graph_.op(each);
        if (contains(bounding, op.type)) return true;
        if (contains(joining, op.type) || op.kind != OpKind::functional) return false;
        each = op_at_operand(graph_, each, 0);
      }
      return false;
    });
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

  void find_computed() {
    from_input_.assign(graph_.op_count(), false);
    for (OpId id = 0; id < graph_.op_count(); ++id)
      from_input_[id] = graph_.op(id).kind == OpKind::input ||
                        std::ranges::any_of(operand_ops(graph_, id),
                                            [&](OpId each) { return from_input_[each]; });
  }

  /// What shares the scale of a result.
  struct Part {
    std::string name;
    Magnitude magnitude;
    bool computed = false; ///< from an input of the model
  };

  std::vector<Part> parts_of(OpId id) {
    std::vector<Part> parts;
    add_parts(id, parts);
    const std::vector<std::size_t> places = operands_of_parameters(graph_, id);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const ParameterId stored = graph_.op(id).parameters[i];
      if (const auto& known = magnitudes_->parameters[stored]; places[i] != none && known)
        parts.push_back({'`' + graph_.parameters()[stored].path + '`', *known, false});
    }
    return parts;
  }

  void add_parts(OpId id, std::vector<Part>& parts) {
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph_.graph()))) {
      const OpId source = boost::source(edge, graph_.graph());
      if (contains(lists, graph_.op(source).type)) {
        add_parts(source, parts);
        continue;
      }
      const OpId made = behind(source);
      if (const auto& known = magnitude(source); known && graph_.graph()[edge].output == 0)
        parts.push_back({name(made), *known, from_input_[source]});
    }
  }

  /// Whether eight bits whose scale is that of `large` leave too few steps to what is bounded.
  static bool is_drowned(const Part& part, const Part& large) {
    const double range = part.magnitude.high - part.magnitude.low;
    return part.computed && range > 0 && std::isfinite(range) &&
           range * steps < few_steps * large.magnitude.peak;
  }

  void check_parts(OpId id, std::string_view verb) {
    if (!has_bounded_operand(id)) return;
    const std::vector<Part> parts = parts_of(id);
    const auto large =
        std::ranges::max_element(parts, {}, [](const Part& each) { return each.magnitude.peak; });
    for (const Part& part : parts)
      if (is_drowned(part, *large)) return report_parts(id, verb, part, *large);
  }

  /// A number that is put around something, as if it were joined.
  void check_padding(OpId id) {
    if (!has_bounded_operand(id)) return;
    const OpId padded = op_at_operand(graph_, id, 0);
    const auto& inner = magnitude(padded);
    const auto& outer = magnitude(id);
    if (!inner || !outer) return;
    const Part part{name(behind(padded)), *inner, from_input_[padded]};
    const Part around{"the number around it", *outer, false};
    if (is_drowned(part, around)) report_parts(id, "pads", part, around);
  }

  void report_parts(OpId id, std::string_view verb, const Part& part, const Part& large) {
    const double range = part.magnitude.high - part.magnitude.low;
    const double left = std::floor(range * steps / large.magnitude.peak);
    start(id,
          name(id) + ' ' + std::string(verb) + ' ' + part.name + ", which is between " +
              short_number(part.magnitude.low) + " and " + short_number(part.magnitude.high) +
              ", with " + large.name + ", which is likely to reach " +
              rough_number(large.magnitude.peak),
          left < 1 ? "with one scale for both, eight bits leave none of the smaller: all of it is "
                     "rounded to zero"
                   : "with one scale for both, eight bits leave " + short_number(left) +
                         " of 256 steps to the smaller",
          "make both outputs of the model, or leave this op in float (ONNX Runtime: "
          "`nodes_to_exclude`; NNCF: `ignored_scope`)");
  }

  /// What is far from zero beside how far apart its numbers are, because a constant was added.
  void check_offset(OpId id) {
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

  /// Of a probability, kept from zero by a clamp or a small number: what is below half a step of
  /// eight bits becomes that number.
  void check_logarithm(OpId id) {
    OpId taken = op_at_operand(graph_, id, 0);
    if (taken != none && contains(guards, graph_.op(taken).type))
      taken = op_at_operand(graph_, taken, 0);
    if (taken == none) return;
    taken = behind(taken);
    if (!contains(probabilities, graph_.op(taken).type)) return;
    start(id, name(id) + " takes the logarithm of " + name(taken) + ", which is between 0 and 1",
          "eight bits round what is below 0.002 to zero, so that its logarithm is lost",
          "use `log_softmax` or `logsigmoid`, or leave both ops in float (ONNX Runtime: "
          "`nodes_to_exclude`; NNCF: `ignored_scope`)");
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
  std::vector<bool> from_input_; ///< by op
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
