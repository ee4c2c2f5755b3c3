#include "validators/shape_facts.h"

namespace model_validator {
namespace {

/// By op: whether it is one of `pending`, or reached from them by the steps that `around` gives.
template <class Around>
std::vector<bool> reached_from(std::vector<OpId> pending, std::size_t ops, Around around) {
  std::vector<bool> reached(ops, false);
  while (!pending.empty()) {
    const OpId id = pending.back();
    pending.pop_back();
    if (reached[id]) continue;
    reached[id] = true;
    for (const OpId next : boost::make_iterator_range(around(id))) pending.push_back(next);
  }
  return reached;
}

} // namespace

std::vector<bool> needed_for_outputs(const ConnectedGraph& graph) {
  return reached_from(graph.outputs(), graph.op_count(),
                      [&](OpId id) { return boost::inv_adjacent_vertices(id, graph.graph()); });
}

std::vector<bool> reached_from_inputs(const ConnectedGraph& graph) {
  return reached_from(graph.inputs(), graph.op_count(),
                      [&](OpId id) { return boost::adjacent_vertices(id, graph.graph()); });
}

std::string node_in_file(const std::string& name) {
  return name.empty() ? "" : " (node `" + name + "` of the file)";
}

} // namespace model_validator
