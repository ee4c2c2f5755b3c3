#include "verify/trace/graph_recorder.h"

namespace model_validator::verify {

void write_output_types(const std::vector<std::vector<SeenType>>& outputs, GraphBuilder& graph,
                        Trace& trace) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    for (std::size_t i = 0; i < outputs[id].size(); ++i) {
      const SeenType& seen = outputs[id][i];
      if (!seen.seen()) continue;
      graph.op(id).outputs[i] = seen.type();
      if (auto ranges = seen.ranges(); !ranges.empty()) trace.ranges[{id, i}] = std::move(ranges);
    }
}

} // namespace model_validator::verify
