#include "validators/likely_magnitudes.h"

#include <model_validator/error.h>

namespace model_validator {

Magnitudes likely_magnitudes(const ConnectedGraph& graph, const Context& context) {
  return magnitudes_of(graph, [&](const std::vector<std::string>& names) {
    if (!context.sample_weights) return WeightSamples(names.size());
    try {
      return context.sample_weights(names);
    } catch (const Error&) {
      return WeightSamples(names.size());
    }
  });
}

} // namespace model_validator
