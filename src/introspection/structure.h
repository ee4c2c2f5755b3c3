#pragma once

#include <model_validator/connected_graph.h>

#include <optional>
#include <string>

namespace model_validator {

/// 32 hexadecimal digits that stand for the structure of a graph.
std::string hash_structure(const ConnectedGraph& graph);

/// The first place where two structures differ.
struct StructuralDifference {
  OpId first = none; ///< in the one graph; `none` where it has ended
  OpId second = none;
  std::string what; ///< one sentence
};

/// @returns nothing where the structures are equal
std::optional<StructuralDifference> structural_difference(const ConnectedGraph& first,
                                                          const ConnectedGraph& second);

} // namespace model_validator
