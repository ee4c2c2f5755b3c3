#pragma once

#include "verify/trace/seen_type.h"

#include <model_validator/graph_builder.h>
#include <model_validator/trace.h>
#include <model_validator/verify/interpreter.h>

#include <vector>

namespace model_validator::verify {

/// Watches a model run, to enter what it sees into the model's graph.
class GraphRecorder : public RunObserver {
public:
  /// A run begins with these arguments, without the module itself.
  virtual void begin(const std::vector<c10::IValue>& arguments) = 0;
  /// A run has returned this.
  virtual void end(const c10::IValue& result) = 0;
  /// The op that was running last; `none` where it is not in the graph.
  virtual OpId last_op() const noexcept = 0;
  /// Enters the types into the graph, and the rest into the trace. If the run completed, ops that
  /// were not seen are known not to run.
  virtual void write(GraphBuilder& graph, Trace& trace) const = 0;
};

/// Enters the types of the ops' outputs.
/// @param outputs  what was seen, by op and output
void write_output_types(const std::vector<std::vector<SeenType>>& outputs, GraphBuilder& graph,
                        Trace& trace);

} // namespace model_validator::verify
