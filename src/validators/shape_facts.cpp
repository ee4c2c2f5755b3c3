#include "validators/shape_facts.h"

namespace model_validator {

std::vector<bool> needed_for_outputs(const ConnectedGraph& graph) {
  std::vector<bool> needed(graph.op_count(), false);
  std::vector<OpId> pending = graph.outputs();
  while (!pending.empty()) {
    const OpId id = pending.back();
    pending.pop_back();
    if (needed[id]) continue;
    needed[id] = true;
    for (const OpId before :
         boost::make_iterator_range(boost::inv_adjacent_vertices(id, graph.graph())))
      pending.push_back(before);
  }
  return needed;
}

std::string node_in_file(const std::string& name) {
  return name.empty() ? "" : " (node `" + name + "` of the file)";
}

} // namespace model_validator
