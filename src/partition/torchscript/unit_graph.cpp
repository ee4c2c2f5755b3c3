#include "partition/torchscript/unit_graph.h"

#include "connected_graph/torchscript/attribute_value.h"
#include "connected_graph/torchscript/module_table.h"
#include "connected_graph/torchscript/operator_description.h"
#include "connected_graph/torchscript/source_frames.h"
#include "connected_graph/torchscript/static_types.h"
#include "partition/torchscript/program.h"

#include <torch/csrc/jit/ir/constants.h>

#include <deque>
#include <map>
#include <set>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
using torchscript::Call;
namespace prim = torch::jit::prim;

std::vector<Attribute> constant_arguments(const Node& node) {
  std::vector<Attribute> attributes;
  const c10::FunctionSchema* schema = node.maybeSchema();
  for (std::size_t i = 0; schema != nullptr && i < node.inputs().size(); ++i) {
    const auto constant = torch::jit::toIValue(node.inputs()[i]);
    if (!constant || i >= schema->arguments().size()) continue;
    if (auto value = torchscript::attribute_of(*constant))
      attributes.push_back({schema->arguments()[i].name(), std::move(*value)});
  }
  return attributes;
}

/// The operators inside a branch or loop, and the branch or loop itself.
void collect_operators(const Node& node, std::vector<Operator>& operators) {
  if (node.kind() != prim::Constant && node.kind() != prim::GetAttr)
    operators.push_back({torchscript::schema_of(node), constant_arguments(node), {}, {}});
  for (const Block* block : node.blocks())
    for (const Node* inner : block->nodes()) collect_operators(*inner, operators);
}

class UnitGraph {
public:
  UnitGraph(const FlatModule& flat, const Units& units, const torch::jit::Module& source,
            const ValueTypes& types, ConnectedGraph& graph)
      : flat_(flat), units_(units), types_(types), graph_(graph), table_(source, graph),
        frames_(graph) {
    for (ModuleId id = 0; id < graph.modules().size(); ++id) {
      modules_[graph.module(id).path] = id;
      for (const std::string& alias : graph.module(id).aliases) modules_[alias] = id;
    }
    for (ParameterId id = 0; id < graph.parameters().size(); ++id)
      parameters_[graph.parameters()[id].path] = id;
    enter_calls();
  }

  std::vector<OpId> enter(const std::vector<bool>& live, const Returned& result) {
    const auto inputs = flat_.graph()->inputs();
    for (std::size_t i = 1; i < inputs.size(); ++i) enter_input(*inputs[i]);
    const std::vector<bool> queries = query_units(units_);
    std::vector<OpId> ops(units_.size(), none);
    for (std::size_t i = 0; i < units_.size(); ++i)
      if (live[i]) ops[i] = enter_unit(units_[i], queries[i]);
    std::size_t number = 0;
    for (const Value* value : leaves(result)) enter_output(*value, number++);
    graph_.origin.traced = frames_.traced();
    return ops;
  }

private:
  /// Calls as the frames of Python know them.
  void enter_calls() {
    for (const InlinedCall& inlined : flat_.inlined.calls) {
      Call call;
      const auto module = modules_.find(inlined.module);
      call.self = call.code = module == modules_.end() ? 0 : module->second;
      call.module_call = inlined.method && !calls_.empty();
      if (!calls_.empty()) {
        call.caller = &calls_[inlined.caller];
        call.site = frames_.frame_of_call(inlined.site, *call.caller);
        if (call.site == none) call.site = call.caller->site;
      }
      calls_.push_back(call);
    }
  }

  TensorType type_of(const Value& value) const {
    const auto found = types_.find(&value);
    return found == types_.end() ? TensorType{} : found->second;
  }

  std::string unique(const std::string& wanted) {
    std::string name = wanted;
    while (!names_.insert(name).second) name = wanted + "_" + std::to_string(counters_[wanted]++);
    return name;
  }

  void enter_input(const Value& value) {
    Op op;
    op.kind = OpKind::input;
    op.type = "input";
    op.name = unique(value.hasDebugName() ? value.debugNameBase() : "input");
    op.outputs = {type_of(value)};
    makers_[&value] = {graph_.add_op(std::move(op)), 0};
  }

  void enter_output(const Value& value, std::size_t number) {
    Op op;
    op.kind = OpKind::output;
    op.type = "output";
    op.name = unique("output_" + std::to_string(number));
    connect(value, graph_.add_op(std::move(op)), 0);
  }

  OpId enter_unit(const Unit& unit, bool query) {
    const Node& node = *unit.node;
    Op op = describe(node);
    if (query)
      op.kind = OpKind::query;
    else if (!node.blocks().empty())
      op.kind = OpKind::control_flow;
    for (std::size_t i = 0; i < unit.reads.size(); ++i) add_parameter(*unit.reads[i], i, op);
    for (const Value* made : node.outputs()) op.outputs.push_back(type_of(*made));
    const OpId id = graph_.add_op(std::move(op));
    for (std::size_t i = 0; i < unit.reads.size(); ++i) connect(*unit.reads[i], id, i);
    for (std::size_t i = 0; i < node.outputs().size(); ++i) makers_[node.outputs()[i]] = {id, i};
    return id;
  }

  Op describe(const Node& node) {
    Call& call = calls_[flat_.inlined.call_of(node)];
    Op op;
    op.schema = torchscript::schema_of(node);
    op.attributes = constant_arguments(node);
    op.type = torchscript::type_of_operator(op.schema, op.attributes);
    op.name = unique(op.type + "_" + std::to_string(counters_[op.type]++));
    op.parent = call.self;
    op.frame = frames_.frame_of(node, call);
    if (const Module& module = graph_.module(call.self); module.leaf && module.torch_nn) {
      op.kind = OpKind::module;
      op.module = call.self;
      op.parent = module.parent;
    }
    if (!node.blocks().empty()) {
      auto body = std::make_shared<std::vector<Operator>>();
      collect_operators(node, *body);
      op.body = std::move(body);
    } else if (op.kind == OpKind::module) {
      op.body = std::make_shared<const std::vector<Operator>>(
          std::vector<Operator>{{op.schema, op.attributes, graph_.location(op.frame), {}}});
    }
    return op;
  }

  void add_parameter(const Value& value, std::size_t position, Op& op) {
    if (value.node()->kind() != prim::GetAttr || units_.maker(&value) != none) return;
    const auto path = flat_.paths.find(value.node()->s(torch::jit::attr::name));
    if (path == flat_.paths.end()) return;
    const auto found = parameters_.find(path->second);
    if (found == parameters_.end()) return;
    op.parameters.push_back(found->second);
    op.parameter_inputs.push_back(position);
  }

  void connect(const Value& value, OpId to, std::size_t position) {
    const auto maker = makers_.find(&value);
    if (maker == makers_.end()) return;
    const auto& [from, output] = maker->second;
    graph_.add_product(from, to, {graph_.op(from).name, output, position, type_of(value)});
  }

  const FlatModule& flat_;
  const Units& units_;
  const ValueTypes& types_;
  ConnectedGraph& graph_;
  torchscript::ModuleTable table_;
  torchscript::SourceFrames frames_;
  std::deque<Call> calls_;
  std::map<std::string, ModuleId> modules_;
  std::map<std::string, ParameterId> parameters_;
  std::unordered_map<const Value*, std::pair<OpId, std::size_t>> makers_;
  std::set<std::string> names_;
  std::map<std::string, std::size_t> counters_;
};

} // namespace

std::vector<OpId> describe_units(const FlatModule& flat, const Units& units,
                                 const std::vector<bool>& live, const Returned& result,
                                 const torch::jit::Module& source, const ValueTypes& types,
                                 ConnectedGraph& graph) {
  return UnitGraph(flat, units, source, types, graph).enter(live, result);
}

} // namespace model_validator::partition
