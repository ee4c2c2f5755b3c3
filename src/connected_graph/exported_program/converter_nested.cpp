#include "connected_graph/exported_program/converter.h"

#include <algorithm>
#include <set>

// Higher-order operators: those that take graphs.

namespace model_validator::exported_program {
namespace {

constexpr int deepest = 64;

enum class Meaning { branches, loop, inlined };

/// What an operator does with its graphs. An unknown one is taken for a wrapper that runs them.
Meaning meaning_of(const std::string& type) {
  static const std::set<std::string> loops{
      "while_loop", "map_impl", "map", "scan", "associative_scan", "while_loop_stack_output"};
  if (type == "cond") return Meaning::branches;
  return loops.count(type) != 0 ? Meaning::loop : Meaning::inlined;
}

std::vector<const Json*> graphs_of(const Json& node) {
  std::vector<const Json*> graphs;
  for (const Json& input : node.at("inputs"))
    if (const auto graph = input.at("arg").find("as_graph"); graph != input.at("arg").end())
      graphs.push_back(&graph->at("graph"));
  return graphs;
}

} // namespace

/// What an operator's graphs are called with: all arguments after the last graph.
std::vector<ValueId> Converter::operands_of(const Json& node, const Scope& scope) const {
  std::vector<ValueId> operands;
  for (const Json& input : node.at("inputs")) {
    const Argument argument = take_apart(input.at("arg"));
    if (argument.graph != nullptr) operands.clear();
    if (argument.graph != nullptr) continue;
    for (const auto* names : {&argument.tensors, &argument.symbols})
      for (const std::string& name : *names)
        operands.push_back(name.empty() ? none : find(node, name, scope));
    if (argument.tensors.empty() && argument.symbols.empty() &&
        !input["arg"].contains("as_tensors"))
      operands.push_back(none);
  }
  return operands;
}

std::vector<ValueId> Converter::convert_subgraph(const Json& node, const Json& subgraph,
                                                 const std::vector<ValueId>& operands,
                                                 const Place& place) {
  if (depth_ >= deepest) fail("its subgraphs are nested too deeply");
  ++depth_;
  Scope inner;
  std::size_t position = 0;
  for (const Json& input : subgraph.at("inputs")) {
    const Argument formal = take_apart(input);
    for (const auto* names : {&formal.tensors, &formal.symbols})
      for (const std::string& name : *names)
        inner[name] = position < operands.size() ? operands[position++] : none;
  }
  convert_nodes(subgraph, inner, place);
  std::vector<ValueId> results;
  for (const Json& output : subgraph.at("outputs")) {
    const Argument result = take_apart(output);
    for (const auto* names : {&result.tensors, &result.symbols})
      for (const std::string& name : *names)
        results.push_back(name.empty() ? none : find(node, name, inner));
  }
  --depth_;
  return results;
}

/// The results of a mere wrapper of a graph, which leaves no op, are those of the graph.
void Converter::bind_inlined(const Json& node, const Json& graph, Scope& scope,
                             const std::vector<ValueId>& results) {
  ProgramNode unused;
  bind_outputs(node, graph, scope, unused);
  const std::size_t count = std::min(unused.outputs.size(), results.size());
  for (std::size_t i = 0; i < count; ++i)
    scope[assembler_.value(unused.outputs[i]).name] = results[i];
}

/// @returns whether the node is done
bool Converter::convert_subgraphs(const Json& node, const Json& graph, Scope& scope,
                                  const Place& place, ProgramNode& to) {
  const std::vector<const Json*> graphs = graphs_of(node);
  if (graphs.empty()) return false;
  const std::vector<ValueId> operands = operands_of(node, scope);
  const Meaning meaning = meaning_of(to.type);
  if (meaning == Meaning::inlined) {
    bind_inlined(node, graph, scope, convert_subgraph(node, *graphs[0], operands, place));
    return true;
  }
  to.kind = OpKind::control_flow;
  if (meaning == Meaning::loop)
    add_arguments(node, scope, to);
  else
    for (const std::string& name : take_apart(node.at("inputs").at(0).at("arg")).tensors)
      to.inputs.push_back(find(node, name, scope));
  const std::size_t number = regions_++;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const auto arm = i == 0 ? Region::Kind::then_arm : Region::Kind::else_arm;
    const auto kind = meaning == Meaning::branches ? arm : Region::Kind::loop_body;
    Place inside = place;
    inside.region = graph_.add_region({kind, number, place.region, none});
    to.owned_regions.push_back(inside.region);
    for (const ValueId result : convert_subgraph(node, *graphs[i], operands, inside)) {
      to.inputs.push_back(result);
      ++to.results_of_bodies;
    }
  }
  bind_outputs(node, graph, scope, to);
  if (!to.outputs.empty()) to.name = assembler_.value(to.outputs[0]).name;
  enter(node, std::move(to));
  return true;
}

} // namespace model_validator::exported_program
