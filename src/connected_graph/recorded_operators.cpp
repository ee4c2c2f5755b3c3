#include "connected_graph/recorded_operators.h"

#include <cstdint>

namespace model_validator {

void add_recorded(const RecordedOperators& recorded, ConnectedGraph& graph) {
  for (const auto& [op, schema] : recorded)
    graph.file_operators.push_back(
        {schema, {{std::string(recorded_mark), static_cast<std::int64_t>(op)}}, {}, {}});
}

RecordedOperators recorded_operators(const ConnectedGraph& graph) {
  RecordedOperators recorded;
  for (const Operator& op : graph.file_operators)
    if (is_recorded(op))
      recorded.emplace(static_cast<OpId>(std::get<std::int64_t>(op.attributes.front().value)),
                       op.schema);
  return recorded;
}

bool is_recorded(const Operator& op) {
  return op.attributes.size() == 1 && op.attributes.front().name == recorded_mark;
}

} // namespace model_validator
