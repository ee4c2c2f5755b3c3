#include "verify/trace/trace_model.h"

#include "verify/run/fresh_copy.h"
#include "verify/run/run_state.h"
#include "verify/run/signature.h"
#include "verify/trace/program_map.h"
#include "verify/trace/trace_recorder.h"

#include <model_validator/error.h>

#include <c10/util/Exception.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::verify {
namespace {

/// What LibTorch would print about the model's operators does not concern the user.
class Silent final : public c10::WarningHandler {
public:
  void process(const c10::Warning&) override {}
};

/// Runs the module with every sample, up to where a shape depends on values.
Trace run_samples(const torch::jit::Module& module, const std::vector<Sample>& samples,
                  const TraceOptions& options, TraceRecorder& recorder) {
  const RunMode mode = options.values ? RunMode::values : RunMode::shapes;
  Silent silent;
  const c10::WarningUtils::WarningHandlerGuard guard(&silent);
  Interpreter interpreter(module, mode, options.max_steps);
  Trace trace;
  try {
    for (const Sample& sample : samples) {
      std::optional<RunState> state;
      if (options.values) state.emplace(module, fresh_tensors(module));
      const auto arguments = to_arguments(module, sample);
      recorder.begin(arguments);
      recorder.end(interpreter.run(arguments, &recorder));
      ++trace.samples;
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data_dependent) throw;
    trace.ended_by = error.what();
    trace.ended_at = recorder.last_op();
  }
  return trace;
}

} // namespace

Trace trace_model(const torch::jit::Module& module, const torchscript::NodeMap& map,
                  const std::vector<Sample>& samples, const TraceOptions& options,
                  GraphBuilder& graph) {
  TraceRecorder recorder(map, graph);
  Trace trace = run_samples(module, samples, options, recorder);
  recorder.write(graph, trace);
  if (trace.ended_by.empty()) graph.recorded_operators = recorder.recorded();
  return trace;
}

Trace trace_program(ProgramModule& program, const TraceOptions& options) {
  const auto samples = make_samples(program.inputs->needs(), options.inputs);
  for (const Sample& sample : samples)
    program.inputs->require(shapes_of(to_arguments(program.module, sample)));
  const torchscript::NodeMap map = map_of(program);
  TraceRecorder recorder(map, program.graph);
  Trace trace = run_samples(program.module, samples, options, recorder);
  recorder.write(program.graph, trace);
  return trace;
}

} // namespace model_validator::verify
