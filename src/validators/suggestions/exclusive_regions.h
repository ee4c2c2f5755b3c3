#pragma once

#include <model_validator/connected_graph.h>

#include <array>
#include <map>

namespace model_validator {

/// Counts how many of the given regions can never run together with another: they are in different
/// arms of one `if`. Each step costs the depth of the region, however many there are.
class ExclusiveRegions {
public:
  explicit ExclusiveRegions(const ConnectedGraph& graph) : graph_(graph) {}

  /// @param region  may be `none`, which excludes nothing
  void add(RegionId region);
  std::size_t exclusive_with(RegionId region) const;

private:
  const ConnectedGraph& graph_;
  std::map<OpId, std::array<std::size_t, 2>> arms_; ///< by `if`: what lies in its arms
};

} // namespace model_validator
