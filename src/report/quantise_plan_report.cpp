#include "report/quantise_plan_report.h"

#include "files/json_text.h"
#include "text/columns.h"
#include "text/escape.h"
#include "text/plural.h"
#include "text/separators.h"

#include <map>
#include <ostream>
#include <tuple>

namespace model_validator {
namespace {

constexpr const char* quantise_plan_schema = "model_validator-quantise-plan/1";

using PlanRows = std::vector<std::vector<std::string>>;

std::map<std::string, std::size_t> states_of(const QuantisePlan& plan) {
  std::map<std::string, std::size_t> counts{
      {"quantised", 0}, {"partly", 0}, {"removed", 0}, {"float", 0}};
  for (const PlannedNode& node : plan.nodes) ++counts[to_string(node.state)];
  return counts;
}

/// One row for all nodes of an operator that share a fate, with the first of them.
PlanRows rows_by_fate(const QuantisePlan& plan) {
  using Fate = std::tuple<bool, std::string, PlannedNode::State, std::string>;
  std::map<Fate, std::pair<std::size_t, std::string>> fates;
  for (const PlannedNode& node : plan.nodes) {
    auto& [count, first] = fates[{!node.known, node.type, node.state, node.reason}];
    if (count++ == 0) first = node.name;
  }
  PlanRows rows{{"operator", "nodes", "becomes", "first", "why"}};
  for (const auto& [fate, nodes] : fates)
    rows.push_back({escape(std::get<1>(fate)), with_separators(nodes.first),
                    to_string(std::get<2>(fate)), escape(nodes.second), escape(std::get<3>(fate))});
  return rows;
}

PlanRows rows_by_node(const ConnectedGraph& graph, const QuantisePlan& plan) {
  PlanRows rows{{"node", "operator", "becomes", "module", "why"}};
  for (const PlannedNode& node : plan.nodes)
    rows.push_back({escape(node.name), escape(node.type), to_string(node.state),
                    escape(graph.module_path(graph.op(node.op).parent)), escape(node.reason)});
  return rows;
}

} // namespace

void write_quantise_plan_text(std::ostream& out, const ConnectedGraph& graph,
                              const QuantisePlan& plan, const Style& style) {
  const auto counts = states_of(plan);
  out << escape(graph.origin.path) << ": of " << plural(plan.nodes.size(), "node") << ", "
      << counts.at("quantised") << " quantised, " << counts.at("partly") << " in part, "
      << counts.at("removed") << " removed, " << counts.at("float") << " left in float ("
      << plan.target << ", " << plan.scheme << ")\n";
  if (plan.quantised)
    out << "The file is quantised already: this is the plan of a second quantisation. Plan the "
           "float "
           "file that it was made of.\n";
  out << "\n";
  const PlanRows rows = style.verbose ? rows_by_node(graph, plan) : rows_by_fate(plan);
  for (const std::string& line : align_columns(rows, {false, !style.verbose, false, false, false}))
    out << "  " << line << "\n";
  out << "\nconstants: " << with_separators(plan.float_bytes) << " bytes become "
      << with_separators(plan.planned_bytes) << "\n";
}

void write_quantise_plan_json(std::ostream& out, const ConnectedGraph& graph,
                              const QuantisePlan& plan) {
  Json nodes = Json::array();
  for (const PlannedNode& node : plan.nodes) {
    const Op& op = graph.op(node.op);
    nodes.push_back({{"name", node.name},
                     {"operator", node.type},
                     {"becomes", to_string(node.state)},
                     {"reason", text_or_null(node.reason)},
                     {"known", node.known},
                     {"op", op.name},
                     {"module", graph.module_path(op.module == none ? op.parent : op.module)}});
  }
  Json counts = Json::object();
  for (const auto& [state, count] : states_of(plan)) counts[state] = count;
  out << json_text(Json{{"schema", quantise_plan_schema},
                        {"path", graph.origin.path},
                        {"target", plan.target},
                        {"scheme", plan.scheme},
                        {"quantised", plan.quantised},
                        {"counts", std::move(counts)},
                        {"float_bytes", plan.float_bytes},
                        {"planned_bytes", plan.planned_bytes},
                        {"nodes", std::move(nodes)}},
                   2)
      << '\n';
}

} // namespace model_validator
