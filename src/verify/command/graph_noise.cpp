#include "verify/command/graph_noise.h"

#include "connected_graph/quantised_role.h"
#include "verify/command/computing_dtype.h"
#include "verify/command/inner_magnitudes.h"

namespace model_validator::verify {

GraphNoise graph_noise(const ConnectedGraph& graph) {
  GraphNoise noise{inner_magnitudes(graph), computing_dtypes(graph), interpolated_outputs(graph)};
  for (OpId id = 0; id < graph.op_count(); ++id)
    noise.rounds_to_steps = noise.rounds_to_steps || is_quantised(graph.op(id));
  return noise;
}

} // namespace model_validator::verify
