#include "connected_graph/exporter.h"
#include "connected_graph/shapes/symbolic_shapes.h"
#include "text/lists.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/shape_facts.h"

#include <model_validator/data/contains.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "baked-dimension",
                        .code = "SHP003",
                        .summary =
                            "an axis is declared free, and the model takes only one size of it",
                        .severity = Severity::warning,
                        .about_code = false};

using shapes::Demand;
using Kind = shapes::Sizes::Solution::Kind;
using Demands = std::vector<const Demand*>;

/// By free axis: what leaves it no choice, in execution order.
std::map<shapes::Sizes::SymbolId, Demands> demands_by_axis(const ConnectedGraph& graph) {
  std::map<shapes::Sizes::SymbolId, Demands> all;
  const std::vector<bool> needed = needed_for_outputs(graph);
  for (const Demand& demand : graph.shapes->facts.demands)
    if (needed.at(demand.node))
      for (const auto symbol : demand.solution.symbols) all[symbol].push_back(&demand);
  return all;
}

/// The sizes that fit, if all axes of an equation are given the same: none, or from the least to
/// the largest.
struct Fitting {
  std::int64_t least = 0, largest = 0;

  bool any() const { return largest > 0; }
};

Fitting fitting_sizes(const shapes::Sizes& sizes, const Demand& demand) {
  constexpr std::int64_t largest = 2048;
  Fitting fitting;
  std::vector<std::optional<std::int64_t>> tried(sizes.symbol_count());
  for (std::int64_t size = 1; size <= largest; ++size) {
    for (const auto symbol : demand.solution.symbols) tried[symbol] = size;
    const auto a = sizes.value(demand.a, tried), b = sizes.value(demand.b, tried);
    if (!a || a != b) continue;
    if (!fitting.any()) fitting.least = size;
    fitting.largest = size;
  }
  return fitting;
}

/// What sizes an axis may have: `16`, `16 or 1`.
std::string sizes_left(const Demand& demand) {
  return std::to_string(demand.solution.number) + (demand.or_one ? " or 1" : "");
}

std::string axis_text(const shapes::Sizes& sizes, shapes::Sizes::SymbolId symbol) {
  const shapes::FreeAxis& axis = sizes.axis_of(symbol);
  const std::string named = axis.name.empty() ? "" : " (`" + axis.name + "`)";
  return "axis " + std::to_string(axis.axis) + " of input `" + axis.input + "`" + named;
}

std::string headline(const shapes::Sizes& sizes, shapes::Sizes::SymbolId symbol,
                     const Demand& first) {
  const std::string axis = axis_text(sizes, symbol) + " is declared free, but ";
  if (first.solution.kind == Kind::number) return axis + "can only be " + sizes_left(first);
  if (first.solution.kind == Kind::few) {
    const Fitting fitting = fitting_sizes(sizes, first);
    if (!fitting.any() || first.solution.symbols.size() > 1)
      return axis + "only few sizes of it fit";
    return axis + "can only be " + std::to_string(fitting.least) + " to " +
           std::to_string(fitting.largest);
  }
  const auto other = first.solution.symbols[first.solution.symbols.front() == symbol ? 1 : 0];
  return axis + "must be equal to " + axis_text(sizes, other);
}

std::string help_for(const GraphOrigin& origin, const shapes::FreeAxis& axis) {
  const std::string named = "`" + axis.input + "`";
  const std::string here = "write `" + axis.input + ".shape[" + std::to_string(axis.axis) +
                           "]` in the model instead of a number, or -1 for it in a reshape";
  if (!is_of_torch(origin)) return here + ", or declare the size as it is";
  return here + "; or leave the axis out of `dynamic_shapes` or `dynamic_axes` of " + named;
}

std::vector<std::string> names_of(const ConnectedGraph& graph, const Demands& demands) {
  std::vector<std::string> names;
  for (const Demand* each : demands)
    if (const std::string name = "`" + graph.op(each->node).name + "`"; !contains(names, name))
      names.push_back(name);
  return names;
}

/// Two axes that must be equal are worth a word where they are of one input. Sizes of a wide range,
/// as those that a pooling rounds to 1, are a choice.
bool is_told(const shapes::Sizes& sizes, const Demand& demand) {
  if (demand.solution.kind == Kind::few) {
    const Fitting fitting = fitting_sizes(sizes, demand);
    return !fitting.any() || 2 * fitting.largest < 3 * fitting.least;
  }
  if (demand.solution.kind != Kind::equal) return true;
  const auto& a = sizes.axis_of(demand.solution.symbols.at(0));
  const auto& b = sizes.axis_of(demand.solution.symbols.at(1));
  return a.input == b.input;
}

void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  if (!graph.shapes || graph.shapes->facts.demands.empty()) return;
  const shapes::Sizes& sizes = graph.shapes->sizes;
  for (auto& [symbol, demands] : demands_by_axis(graph)) {
    std::erase_if(demands, [&](const Demand* each) { return !is_told(sizes, *each); });
    if (demands.empty()) continue;
    const Demand& first = *demands.front();
    // One equation is told once, at its first axis.
    if (first.solution.kind == Kind::equal && first.solution.symbols.front() != symbol) continue;
    Diagnostic finding = finding_of(graph, first.node, diagnostics, headline(sizes, symbol, first));
    finding.notes.push_back("for `" + graph.op(first.node).name + "`" + node_in_file(first.name) +
                            ", " + first.sentence);
    constexpr std::size_t shown = 5;
    if (const auto names = names_of(graph, demands); names.size() > 1)
      finding.notes.push_back("the same axis is fixed by " + first_in_words(names, shown));
    diagnostics.add(std::move(finding), help_for(graph.origin, sizes.axis_of(symbol)));
  }
}

} // namespace

const Check checks::baked_dimension(rule, run);

} // namespace model_validator
