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

/// Of the 256 steps of eight bits; with fewer, four bits would hold the value.
constexpr double few_steps = 16;
/// Below that, a value is rounded to two numbers, or to one: no score is left to be compared.
constexpr double lost_steps = 2;
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
      for (const QuantisedOperand& each : view_.node(id).quantised)
        if (is_of_result(view_.node(id), each)) check(id, *each.quantisation);
  }

private:
  /// The scale that a value gets here, not one that it has already.
  static bool is_of_result(const ProgramNode& node, const QuantisedOperand& each) {
    return each.operand == QuantisedOperand::result && node.role != QuantisedRole::dequantise &&
           each.quantisation->block_size == 0 && scale_count(*each.quantisation) == 1;
  }

  void check(std::size_t id, const Quantisation& quantisation) {
    const auto scale = scale_of(quantisation, 0);
    if (!scale || !std::isfinite(*scale) || *scale <= 0) return;
    for (const std::size_t source : bounded_before(id)) {
      const Range range = *range_of(view_.node(source), types_[source]);
      const double steps = (range.greatest - range.least) / *scale;
      if (steps < few_steps && told_.insert(source).second)
        report(id, source, range, *scale, steps);
    }
  }

  /// The nodes behind a node that yield what has a range, over nodes that only hand values on.
  std::vector<std::size_t> bounded_before(std::size_t from) const {
    std::vector<std::size_t> found;
    std::set<std::size_t> seen{from};
    std::vector<std::size_t> next{from};
    for (std::size_t steps = 0; !next.empty() && steps < max_distance; ++steps) {
      const std::size_t id = next.back();
      next.pop_back();
      const ProgramNode& node = view_.node(id);
      if (range_of(node, types_[id])) {
        found.push_back(id);
        continue;
      }
      if (!hands_on(node, types_[id])) continue;
      for (const std::size_t input : node.inputs)
        if (input != none && view_.value(input).maker != none &&
            seen.insert(view_.value(input).maker).second)
          next.push_back(view_.value(input).maker);
    }
    return found;
  }

  void report(std::size_t id, std::size_t source, const Range& range, double scale, double steps) {
    Diagnostic finding = view_.finding_of(
        view_.node(source), diagnostics_,
        view_.spoken(view_.node(source)) + " is between " + short_number(range.least) + " and " +
            short_number(range.greatest) + ", and " + view_.spoken(view_.node(id)) +
            " stores it in steps of " + short_number(scale));
    finding.severity = steps < lost_steps ? Severity::error : Severity::warning;
    finding.notes.push_back("that leaves " + plural(static_cast<std::size_t>(steps), "step") +
                            " of the 256 that eight bits have");
    finding.notes.emplace_back("the scale is that of what it is joined with, as of boxes and their "
                               "scores in one tensor");
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
