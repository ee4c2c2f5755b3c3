#include "connected_graph/torchscript/walk.h"

#include "connected_graph/torchscript/attribute_value.h"
#include "connected_graph/torchscript/operator_description.h"
#include "connected_graph/torchscript/tensor_type.h"

#include <model_validator/error.h>

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>

namespace model_validator::torchscript {
namespace {

std::string input_name(const torch::jit::Value& value) {
  std::string name = value.debugName();
  // TorchScript numbers a name when it is bound anew: `x.1` is the argument `x`.
  const auto dot = name.rfind('.');
  if (dot != std::string::npos &&
      name.find_first_not_of("0123456789", dot + 1) == std::string::npos)
    name.resize(dot);
  return name;
}

bool is_optional(const c10::TypePtr& type) {
  return type->kind() == c10::TypeKind::OptionalType || type->kind() == c10::TypeKind::AnyType ||
         type->kind() == c10::TypeKind::UnionType || type->kind() == c10::TypeKind::NoneType;
}

/// Whether the model as a whole is one module of torch. Of a frozen one the class is left, and
/// neither its attributes nor its parameters.
bool is_whole_leaf(const Module& root) {
  return root.leaf && root.torch_nn &&
         std::any_of(root.attributes.begin(), root.attributes.end(),
                     [](const Attribute& attribute) { return attribute.name == "training"; });
}

/// Whether a list or dict of the model is another in the next run. What writes into those are
/// operators of TorchScript alone.
bool changes_kept_collection(const std::vector<StateFacts::Write>& writes) {
  return std::any_of(writes.begin(), writes.end(), [](const StateFacts::Write& write) {
    if (!write.place.in_place) return false;
    const std::string& schema = write.place.schema;
    const auto dot = schema.find('.');
    const auto found = c10::Dispatcher::singleton().findSchema(
        {schema.substr(0, dot), dot == std::string::npos ? std::string() : schema.substr(dot + 1)});
    return !found.has_value();
  });
}

/// The attribute whose list or dict a node changes in place.
const torch::jit::Node* filled_attribute(const torch::jit::Node& node) {
  if (node.inputs().empty() || node.input(0)->node()->kind() != c10::prim::GetAttr) return nullptr;
  const auto kind = node.input(0)->type()->kind();
  const bool collection = kind == c10::TypeKind::ListType || kind == c10::TypeKind::DictType;
  return collection && writes(node, 0) ? node.input(0)->node() : nullptr;
}

const auto module_container_index = c10::Symbol::fromQualString("prim::ModuleContainerIndex");

} // namespace

Walk::Walk(const torch::jit::Module& root, ConnectedGraph& graph, std::size_t max_nodes,
           NodeMap* map)
    : graph_(graph), root_(root), modules_(root, graph), frames_(graph), nodes_left_(max_nodes),
      map_(map) {
  find_mutable_attributes();
}

void Walk::run(const std::string& method) {
  const auto function = root_.find_method(method);
  if (!function)
    throw Error(ErrorKind::no_forward, "", "the model has no method `" + method + "`",
                "export a module whose forward is scripted or traced");
  const auto& graph = *function->graph();
  Inputs arguments;
  auto self = std::make_shared<AbstractValue>();
  self->object = root_._ivalue();
  arguments.push_back(self);
  for (std::size_t i = 1; i < graph.inputs().size(); ++i) {
    Op op;
    op.kind = OpKind::input;
    op.type = "input";
    op.name = claim_name(input_name(*graph.inputs()[i]));
    op.parent = 0;
    const auto& schema = function->function().getSchema().arguments();
    if (i < schema.size() && schema[i].default_value())
      op.attributes.push_back(
          {"default", attribute_of(*schema[i].default_value()).value_or(AttributeValue{})});
    const OpId id = graph_.add_op(std::move(op));
    std::size_t output = 0;
    Abstract value = result(graph.inputs()[i]->type(), id, output, false);
    graph_.op(id).outputs.resize(output);
    state_.add_input(value);
    note_model_input(i, id, value);
    arguments.push_back(std::move(value));
  }
  Call call{0, 0, root_._ivalue().get(), none, true, nullptr};
  const std::size_t record = record_call(0, method);
  const Abstract returned = is_whole_leaf(graph_.module(0))
                                ? call_root_leaf(graph, arguments, call, record)
                                : walk_function(graph, arguments, call);
  const StateRecord::Node results = state_.read(returned);
  graph_.state_writes = kept_state(state_.facts(), results);
  if (map_ && changes_kept_collection(state_.facts().writes)) map_->forget_known();
  const Gathered data = gather({returned});
  for (std::size_t number = 0; number < data.operands.size(); ++number) {
    Op op;
    op.kind = OpKind::output;
    op.type = "output";
    op.name = claim_name("output_" + std::to_string(number));
    op.parent = 0;
    const OpId id = emit(std::move(op), {data.operands[number]});
    if (map_) map_->model_outputs.emplace_back(id, data.places[number]);
  }
}

void Walk::find_mutable_attributes() {
  const auto add = [](const torch::jit::Node& node, auto& attributes) {
    if (const auto type = node.input(0)->type()->cast<c10::ClassType>())
      attributes.emplace(type.get(), node.s(c10::attr::name));
  };
  const auto scan = [&](const torch::jit::Block* block, const auto& again) -> void {
    for (const torch::jit::Node* node : block->nodes()) {
      if (node->kind() == c10::prim::SetAttr) add(*node, mutable_attributes_);
      if (const torch::jit::Node* filled = filled_attribute(*node))
        add(*filled, filled_attributes_);
      for (const torch::jit::Block* inner : node->blocks()) again(inner, again);
    }
  };
  std::set<const c10::ClassType*> seen;
  const auto visit = [&](const c10::ivalue::Object& object, const auto& again) -> void {
    if (!seen.insert(object.type().get()).second) return;
    for (torch::jit::Function* method : object.type()->methods())
      if (method->isGraphFunction())
        scan(torch::jit::toGraphFunction(*method).graph()->block(), scan);
    for (const c10::IValue& slot : object.slots())
      if (slot.isObject()) again(*slot.toObject(), again);
  };
  visit(*root_._ivalue(), visit);
}

Abstract Walk::value_of(const torch::jit::Value* value, const Environment& environment) const {
  const auto found = environment.find(value);
  if (found != environment.end()) return refined(found->second);
  auto lost = std::make_shared<AbstractValue>();
  lost->query = true;
  return lost;
}

Walk::Inputs Walk::inputs_of(const torch::jit::Node& node, const Environment& environment) const {
  Inputs inputs;
  inputs.reserve(node.inputs().size());
  for (const torch::jit::Value* input : node.inputs())
    inputs.push_back(value_of(input, environment));
  return inputs;
}

/// Where what has been decided leaves one alternative, the value is that one.
Abstract Walk::refined(Abstract value) const {
  while (value && !value->alternatives.empty()) {
    const Abstract* only = nullptr;
    std::size_t possible = 0;
    for (const auto& [literal, alternative] : value->alternatives)
      if (compatible({literal}, path_)) {
        ++possible;
        only = &alternative;
      }
    if (possible != 1) return value;
    value = *only;
  }
  return value;
}

Abstract Walk::unknown(const c10::TypePtr& type) {
  auto value = std::make_shared<AbstractValue>();
  value->number = next_number_++;
  value->node = state_.add();
  value->never_none = !is_optional(type);
  if (type->kind() == c10::TypeKind::NoneType) value->known = c10::IValue();
  return value;
}

bool Walk::walk_block(const torch::jit::Block& block, Environment& environment) {
  bool falls_through = true;
  for (const torch::jit::Node* node : block.nodes())
    falls_through = walk_node(*node, environment) && falls_through;
  return falls_through;
}

/// @return false when nothing comes after: the node raises
bool Walk::walk_node(const torch::jit::Node& node, Environment& environment) {
  if (nodes_left_-- == 0)
    throw Error(ErrorKind::too_large, "",
                "the model unfolds into more operations than any sensible network",
                "export a part of it; a program of your own can raise ReadOptions::max_ops");
  const auto kind = node.kind();
  bool falls_through = true;
  if (kind == c10::prim::Constant)
    environment[node.output()] = constant(node);
  else if (kind == c10::prim::If)
    walk_if(node, environment, falls_through);
  else if (kind == c10::prim::Loop)
    walk_loop(node, environment);
  else {
    const Inputs inputs = inputs_of(node, environment);
    const StateRecord::Node begin = state_.next();
    const auto read = read_by(node, inputs);
    note_state(node, inputs, read);
    if (!walk_structure(node, inputs, environment)) walk_operator(node, inputs, environment);
    note_shared_state(node, inputs, environment);
    note_computed(node, begin, read, environment);
    falls_through = kind != c10::prim::RaiseException;
  }
  note_known(node, environment);
  return falls_through;
}

/// Nodes that move values about without computing on them.
bool Walk::walk_structure(const torch::jit::Node& node, const Inputs& inputs,
                          Environment& environment) {
  const auto bind = [&](Abstract value) {
    environment[node.output()] = std::move(value);
    return true;
  };
  switch (node.kind()) {
  case c10::prim::GetAttr: return bind(get_attribute(node, inputs[0]));
  case c10::prim::SetAttr: return set_attribute(node, inputs), true;
  case c10::prim::CallMethod: return bind(call_method(node, inputs));
  case c10::prim::CallFunction: return bind(call_function(node, inputs));
  case c10::prim::TupleConstruct: return bind(make_items(inputs));
  case c10::prim::ListUnpack:
  case c10::prim::TupleUnpack: return unpack(node, inputs[0], environment);
  case c10::prim::TupleIndex: return bind(element(inputs[0], inputs[1], node.output()->type()));
  case c10::prim::Uninitialized: {
    auto value = unknown(node.output()->type());
    value->unreachable = true;
    return bind(value);
  }
  case c10::prim::fork: return bind(walk_fork(node, inputs));
  case c10::aten::wait: return bind(inputs[0]);
  default: break;
  }
  if (node.kind() == module_container_index) return bind(child_of(node, inputs));
  if (auto value = collection_operator(node, inputs)) {
    if (!node.outputs().empty()) environment[node.output()] = *value;
    return true;
  }
  return false;
}

Abstract Walk::constant(const torch::jit::Node& node) {
  const auto value = torch::jit::toIValue(node.output());
  if (!value) return unknown(node.output()->type());
  if (!value->isTensor()) return from_ivalue(*value, nullptr, "");
  auto tensor = unknown(node.output()->type());
  if (collecting_) return tensor;
  Op op;
  op.kind = OpKind::constant;
  op.type = "constant";
  op.name = unique_name("constant");
  op.parent = call_->self;
  op.frame = frames_.frame_of(node, *call_);
  op.region = region_;
  op.outputs.push_back(type_of(value->toTensor()));
  if (auto number = scalar_value(value->toTensor())) op.attributes.push_back({"value", *number});
  tensor->sources.push_back({graph_.add_op(std::move(op)), 0});
  return tensor;
}

} // namespace model_validator::torchscript
