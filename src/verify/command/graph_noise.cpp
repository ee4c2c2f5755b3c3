#include "verify/command/graph_noise.h"

#include "connected_graph/operators.h"
#include "connected_graph/quantised_role.h"
#include "verify/command/computing_dtype.h"
#include "verify/command/inner_magnitudes.h"

namespace model_validator::verify {
namespace {

/// Whether an op orders rows by their values, as far as one knows: another library's may.
bool may_rank(const Op& op) {
  const std::string_view schema = op.schema;
  const auto is_of = [&](std::string_view library) { return schema.starts_with(library); };
  const bool is_known = schema.find("::") == std::string_view::npos || is_of("aten::") ||
                        is_of("prim") || is_of("quantized") || is_of("onnx::") ||
                        is_of("com.microsoft::");
  return !is_known || does(op.type, Does::ranks);
}

} // namespace

GraphNoise graph_noise(const ConnectedGraph& graph) {
  GraphNoise noise{inner_magnitudes(graph), computing_dtypes(graph), interpolated_outputs(graph)};
  noise.may_rank = false;
  for (OpId id = 0; id < graph.op_count(); ++id) {
    noise.rounds_to_steps = noise.rounds_to_steps || is_quantised(graph.op(id));
    noise.may_rank = noise.may_rank || may_rank(graph.op(id));
  }
  return noise;
}

} // namespace model_validator::verify
