#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/program.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace model_validator::rules {

/// Where the nodes of a program stand, by which some runtimes pass over them: as profiles call it,
/// `dead` where nothing needs a node, `unchosen` in the arm that a stored condition does not take,
/// or empty.
class NodePlaces {
public:
  /// @param regions  of the graph
  NodePlaces(const Program& program, const std::vector<Region>& regions);

  const char* of(NodeView node) const;
  /// Whether a node runs once a runtime has chosen arms and worked out the sizes that are known.
  bool runs(NodeView node) const;
  /// Of what several nodes became, only where none of them stands elsewhere.
  const char* of(OpId op) const;
  bool runs(OpId op) const;

private:
  bool is_chosen(RegionId region) const;

  const std::vector<Region>& regions_;
  std::vector<bool> needed_;   ///< by value: whether an output of the model follows from it
  std::vector<bool> computed_; ///< and from more of it than a size that is known
  std::set<RegionId> unchosen_;
  std::map<OpId, const char*> of_ops_;
  std::set<OpId> run_;
};

} // namespace model_validator::rules
