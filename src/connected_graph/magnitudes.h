#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/weights.h>

#include <limits>
#include <optional>
#include <vector>

namespace model_validator {

/// How large the elements of a value are likely to be.
struct Magnitude {
  double mean = 0;
  double deviation = 0;
  /// The largest magnitude that is to be expected among some ten thousand elements.
  double peak = 0;
  double low = -std::numeric_limits<double>::infinity(); ///< that no element is below
  double high = std::numeric_limits<double>::infinity();
};

/// What is known of the values of a graph.
struct Magnitudes {
  std::vector<std::optional<Magnitude>> ops;        ///< of the first result of each
  std::vector<std::optional<Magnitude>> parameters; ///< of those whose numbers were read
};

/// An estimate for the first result of each op, where one can be given: the inputs of the model are
/// taken for numbers with mean 0 and deviation 1, what is summed for independent. Nothing is known
/// of what depends on control flow, on integers that a model is given, or on a quotient whose
/// divisor may be near zero.
/// @param sample  asked once for the floating parameters, by their paths
Magnitudes magnitudes_of(const ConnectedGraph& graph, const WeightSampler& sample);

} // namespace model_validator
