#pragma once

#include <model_validator/connected_graph.h>

#include <cstddef>
#include <set>
#include <vector>

namespace model_validator::verify {

/// Visits what reads the results of an op, and so on, until it has met so many ops.
/// @param visit  (op, reader, operand): whether to go on from the reader
template <class Visit>
void follow_readers(const ConnectedGraph& graph, OpId from, std::size_t most, const Visit& visit) {
  std::vector<OpId> open{from};
  std::set<OpId> seen{from};
  while (!open.empty() && seen.size() < most) {
    const OpId at = open.back();
    open.pop_back();
    const auto [begin, end] = boost::out_edges(at, graph.graph());
    for (auto edge = begin; edge != end; ++edge) {
      const OpId reader = boost::target(*edge, graph.graph());
      if (visit(at, reader, graph.graph()[*edge].input) && seen.insert(reader).second)
        open.push_back(reader);
    }
  }
}

} // namespace model_validator::verify
