#pragma once

#include <model_validator/connected_graph.h>

#include <map>
#include <string>
#include <vector>

namespace model_validator {

/// What runs of a model call its ops: by their names in the graph, or by those of nodes of the file
/// and of what these yield.
class OpNames {
public:
  explicit OpNames(const ConnectedGraph& graph);
  /// `none` where there is none.
  OpId find(const std::string& name) const;

private:
  void add_names_of_file(const ConnectedGraph& graph);

  std::map<std::string, OpId> ops_;
};

/// The ops that do together what an op is part of: all of the module that it is called in, where
/// that has no modules of its own; else the op alone.
std::vector<OpId> unit_of(const ConnectedGraph& graph, OpId op);

/// What stands for a unit of one graph in another: the ops of the same module, else the unit of the
/// op that a run of the other model has in its place, else the op of the same number of its type in
/// that module. Empty where there is none.
/// @param op  of the first graph
/// @param in_its_place  in the second graph; `none` where that is not known
std::vector<OpId> counterpart_of(const ConnectedGraph& first, OpId op, const ConnectedGraph& second,
                                 OpId in_its_place);

} // namespace model_validator
