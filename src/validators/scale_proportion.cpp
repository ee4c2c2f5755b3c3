#include "connected_graph/attributes.h"
#include "connected_graph/canonical_type.h"
#include "connected_graph/operators.h"
#include "text/numbers.h"
#include "text/plural.h"
#include "validators/checks.h"
#include "validators/program_view.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "scale-proportion",
                        .code = "QNT011",
                        .summary = "a value has the scale of another that is much larger",
                        .severity = Severity::error,
                        .about_code = false};

constexpr double all_steps = 256;
/// Of the steps of eight bits; with fewer, four bits would hold the value.
constexpr double few_steps = 16;
/// Below that, a value is rounded to two numbers, or to one: no score is left to be compared.
constexpr double lost_steps = 2;
/// How many numbers an offset has at most: one for each of a few channels.
constexpr double max_offsets = 16;
/// How far a value is followed, in nodes.
constexpr std::size_t max_distance = 64;

/// The least and the greatest number that a value can have, whatever the model is given.
struct Range {
  double least = 0;
  double greatest = 0;
};

constexpr auto up_to_one = word_array<"sigmoid softmax _softmax hardsigmoid">;
constexpr auto around_zero = word_array<"tanh erf sin cos">;

/// The operator of PyTorch that a node computes, also with stored numbers: `sigmoid` of
/// `com.microsoft::QLinearSigmoid`.
std::string computed_type(const ProgramNode& node) {
  constexpr std::string_view prefix = "QLinear";
  const std::string_view name = operator_of(node);
  return name.starts_with(prefix)
             ? canonical_type("onnx::" + std::string(name.substr(prefix.size())), node.attributes)
             : canonical_type(node.schema, node.attributes);
}

std::optional<Range> range_of(const ProgramNode& node, const std::string& type) {
  if (contains(up_to_one, type)) return Range{0, 1};
  if (contains(around_zero, type)) return Range{-1, 1};
  if (type != "clamp") return std::nullopt;
  const auto* least = find_attribute<double>(node.attributes, "min");
  const auto* greatest = find_attribute<double>(node.attributes, "max");
  if (least == nullptr || greatest == nullptr || *least >= *greatest) return std::nullopt;
  return Range{*least, *greatest};
}

/// Whether numbers of its operands are numbers of its result.
bool hands_on(const ProgramNode& node, const std::string& type) {
  return node.role == QuantisedRole::quantise || node.role == QuantisedRole::dequantise ||
         node.role == QuantisedRole::fake_quantise || does(type, moves | Does::converts);
}

class ProportionChecker {
public:
  ProportionChecker(const ConnectedGraph& graph, Diagnostics& diagnostics)
      : view_(graph), diagnostics_(diagnostics) {}

  void run() {
    if (!view_.quantised()) return;
    for (const ProgramNode& node : view_.nodes()) types_.push_back(computed_type(node));
    for (std::size_t id = 0; id < types_.size(); ++id)
      if (const auto scale = scale_given(view_.node(id))) check(id, *scale);
  }

private:
  /// Whether it is the scale that a value gets here, not one that it has already.
  static bool is_of_result(const ProgramNode& node, const QuantisedOperand& each) {
    return each.operand == QuantisedOperand::result && node.role != QuantisedRole::dequantise &&
           each.quantisation->block_size == 0 && scale_count(*each.quantisation) == 1;
  }

  /// Of the first result of a node that is quantised with one.
  std::optional<double> scale_given(const ProgramNode& node) const {
    for (const QuantisedOperand& each : node.quantised)
      if (is_of_result(node, each))
        if (const auto scale = scale_of(*each.quantisation, 0);
            scale && std::isfinite(*scale) && *scale > 0)
          return scale;
    return std::nullopt;
  }

  void check(std::size_t id, double scale) {
    for (const Source& source : sources_of(id, scale)) {
      const double steps = (source.range.greatest - source.range.least) / scale;
      if (steps < few_steps && told_.insert(source.node).second) report(id, source, scale, steps);
    }
  }

  /// What a node gives, and how far its numbers reach.
  struct Source {
    std::size_t node = none;
    Range range;
  };

  /// By what the node computes, or by the finer scale in which its result was stored.
  std::optional<Range> reach_of(std::size_t id, double scale) const {
    if (const auto known = range_of(view_.node(id), types_[id])) return known;
    const auto own = scale_given(view_.node(id));
    if (!own || *own >= scale) return std::nullopt;
    return Range{0, *own * all_steps};
  }

  /// What is behind a node and has a range, over nodes that only hand values on.
  std::vector<Source> sources_of(std::size_t from, double scale) const {
    std::vector<Source> found;
    std::set<std::size_t> seen{from};
    std::vector<std::size_t> next{from};
    for (std::size_t steps = 0; !next.empty() && steps < max_distance; ++steps) {
      const std::size_t id = next.back();
      next.pop_back();
      if (const auto range = id == from ? std::nullopt : reach_of(id, scale)) {
        found.push_back({id, *range});
        continue;
      }
      if (!hands_on(view_.node(id), types_[id]) && !adds_constant(id)) continue;
      for (const std::size_t maker : makers_before(id))
        if (seen.insert(maker).second) next.push_back(maker);
    }
    return found;
  }

  std::vector<std::size_t> makers_before(std::size_t node) const {
    std::vector<std::size_t> makers;
    for (const std::size_t input : view_.node(node).inputs)
      if (input != none && !view_.is_constant(input) && view_.value(input).maker != none)
        makers.push_back(view_.value(input).maker);
    return makers;
  }

  /// Whether a node moves all its numbers alike, as de-normalising does. A large constant is a
  /// mask or a grid, which says more than how far the numbers move.
  bool adds_constant(std::size_t id) const {
    if (types_[id] != "add" && types_[id] != "sub") return false;
    return std::ranges::any_of(view_.node(id).inputs, [&](std::size_t each) {
      return view_.is_constant(each) && elements_of(view_.value(each)) <= max_offsets;
    });
  }

  static double elements_of(const ProgramValue& value) {
    if (!value.type.shape) return std::numeric_limits<double>::infinity();
    double count = 1;
    for (const std::int64_t size : *value.type.shape) count *= static_cast<double>(size);
    return count;
  }

  void report(std::size_t id, const Source& source, double scale, double steps) {
    const ProgramNode& made = view_.node(source.node);
    const double reach = source.range.greatest - source.range.least;
    Diagnostic finding = view_.finding_of(
        made, diagnostics_,
        view_.spoken(made) + " reaches over " + short_number(reach) + ", and " +
            view_.spoken(view_.node(id)) + " stores it in steps of " + short_number(scale));
    finding.severity = steps < lost_steps ? Severity::error : Severity::warning;
    finding.notes.push_back("that leaves " + plural(static_cast<std::size_t>(steps), "step") +
                            " of the 256 that eight bits have");
    finding.notes.emplace_back("the scale is that of what it is joined with or added to, as of "
                               "boxes and their scores in one tensor");
    diagnostics_.add(std::move(finding),
                     "leave the joining node in float (ONNX Runtime: `nodes_to_exclude`; NNCF: "
                     "`ignored_scope`), or make both outputs of the model");
  }

  ProgramView view_;
  Diagnostics& diagnostics_;
  std::vector<std::string> types_; ///< by node
  std::set<std::size_t> told_;     ///< nodes whose results were told
};

/// Values whose range is known and far smaller than that of the scale that they get.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  ProportionChecker(graph, diagnostics).run();
}

} // namespace

const Check checks::scale_proportion(rule, run);

} // namespace model_validator
