#include "verify/trace/program_map.h"

#include "verify/run/op_name.h"

#include <torch/csrc/jit/ir/ir.h>

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

} // namespace

NodeMap map_of(const ProgramModule& program) {
  ProgramMap made(program.graph);
  made.add(*program.module.get_method("forward").graph()->block());
  return std::move(made.map);
}

} // namespace model_validator::verify
