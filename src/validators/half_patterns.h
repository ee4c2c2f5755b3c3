#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator {

/// A place where float16 yields infinities or NaN although it holds every number of the file: a
/// number that was to keep something from zero becomes zero itself, or a probability or an
/// exponential leaves its range before a logarithm brings it back.
struct HalfPattern {
  OpId op = none; ///< the op whose result is not finite
  std::string message;
  std::string note;
  std::string help;
};

/// By op: whether it computes in float32 whatever the model is converted to, because the graph
/// casts to it.
std::vector<bool> computing_wide(const ConnectedGraph& graph);

/// Those of a graph, in execution order.
/// @param wide  the ops that have none (`computing_wide`)
std::vector<HalfPattern> half_patterns(const ConnectedGraph& graph, const std::vector<bool>& wide);

} // namespace model_validator
