#include "verify/trace/trace_model.h"

#include "verify/run/fresh_copy.h"
#include "verify/run/op_name.h"
#include "verify/run/run_state.h"
#include "verify/run/signature.h"
#include "verify/trace/trace_recorder.h"

#include <model_validator/error.h>

#include <c10/util/Exception.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>
#include <string>
#include <utility>

namespace model_validator::verify {
namespace {

using torchscript::NodeMap;
using torchscript::NodeRecord;

class ProgramMap {
public:
  explicit ProgramMap(const ConnectedGraph& graph) {
    for (OpId id = 0; id < graph.op_count(); ++id) records_[graph.op(id).name].op = id;
    for (RegionId id = 0; id < graph.regions().size(); ++id)
      if (const OpId op = graph.regions()[id].op; op != none)
        records_[graph.op(op).name].regions.push_back(id);
    for (std::size_t i = 0; i < graph.inputs().size(); ++i) // after the module itself
      map.model_inputs.push_back({graph.inputs()[i], none, {}, {{i + 1, {}, 0}}, {}});
  }

  void add(const torch::jit::Block& block) {
    for (const torch::jit::Node* node : block.nodes()) {
      if (const auto op = records_.find(op_name_of(*node)); op != records_.end())
        map.add(NodeMap::root, *node, with_outputs(*node, op->second));
      for (const torch::jit::Block* inner : node->blocks()) add(*inner);
    }
  }

  NodeMap map;

private:
  static NodeRecord with_outputs(const torch::jit::Node& node, NodeRecord record) {
    record.continues = true;
    for (const torch::jit::Value* value : node.outputs())
      if (const auto output = op_output_of(*value)) {
        const bool is_list = value->type()->kind() == c10::TypeKind::ListType;
        record.outputs.push_back({value->offset(), {}, *output, is_list});
        record.continues = record.continues && *output != 0;
      }
    return record;
  }

  std::unordered_map<std::string, NodeRecord> records_; ///< without outputs, by the op's name
};

/// Which op each node of a program of torch.export is, or is a part of: nodes have the names of the
/// ops in its graph.
NodeMap map_of(const ProgramModule& program) {
  ProgramMap made(program.graph);
  made.add(*program.module.get_method("forward").graph()->block());
  return std::move(made.map);
}

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
