#pragma once

#include <model_validator/connected_graph.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace model_validator {

/// The schemas of the operators of an op that ran and yielded tensors.
using RecordedOperators = std::set<std::pair<OpId, std::string>>;

/// Marks an operator among `ConnectedGraph::file_operators` that is not in the file's code but was
/// seen to run; its value is the op that it is part of.
inline constexpr std::string_view recorded_mark = "@recorded";

/// Adds them to the operators of the file.
void add_recorded(const RecordedOperators& recorded, ConnectedGraph& graph);

/// Those that were added; empty for a graph that was not run.
RecordedOperators recorded_operators(const ConnectedGraph& graph);

bool is_recorded(const Operator& op);

} // namespace model_validator
