#include "connected_graph/torchscript/walk.h"

#include "connected_graph/torchscript/code/attribute_value.h"
#include "connected_graph/torchscript/code/static_types.h"
#include "connected_graph/torchscript/file/method.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::torchscript {
namespace {

std::string input_name(const Value& value) {
  std::string name = value.debugName();
  // TorchScript numbers a name when it is rebound: `x.1` is the argument `x`.
  const auto dot = name.rfind('.');
  if (dot != std::string::npos &&
      name.find_first_not_of("0123456789", dot + 1) == std::string::npos)
    name.resize(dot);
  return name;
}

void set_holders(const Abstract& value, const c10::TypePtr& type, const Inputs& holders) {
  if (!holds_collections(type) || value->known() || !value->possible_containers.empty()) return;
  if (const auto tuple = type->cast<c10::TupleType>(); tuple && value->items()) {
    const std::vector<Abstract>& elements = value->items()->values;
    for (std::size_t i = 0; i < std::min(elements.size(), tuple->elements().size()); ++i)
      set_holders(elements[i], tuple->elements()[i], holders);
  } else if (!value->items() && value->alternatives.empty() &&
             std::find(holders.begin(), holders.end(), value) == holders.end()) {
    value->possible_containers = holders;
  }
}

const auto module_container_index = c10::Symbol::fromQualString("prim::ModuleContainerIndex");

} // namespace

Walk::Walk(const torch::jit::Module& root, GraphBuilder& graph, std::size_t max_nodes, NodeMap* map,
           const UnsetObjects& unset)
    : context_(root, graph, unset), nodes_left_(max_nodes), notes_(context_, map),
      values_(context_), decisions_(context_, values_), writer_(context_, notes_),
      state_notes_(context_), attributes_(context_, values_, decisions_),
      collections_(context_, values_), operators_(context_, values_, writer_, notes_),
      calls_(context_, values_, writer_, notes_, block_walker()),
      control_flow_(context_, values_, decisions_, writer_, notes_, block_walker()) {}

/// For the parts that meet nested blocks.
WalkBlock Walk::block_walker() {
  return [this](const Block& block, Environment& names) { return walk_block(block, names); };
}

void Walk::run(const std::string& method) {
  const torch::jit::Method function = method_of(context_.root, method);
  const Graph& body = *function.graph();
  const Inputs arguments = enter_inputs(function.function(), body);
  const Abstract returned = calls_.root(body, method, arguments);
  const StateRecord::Node results = context_.state.read(returned);
  context_.graph.state_writes = kept_state(context_.state.facts(), results);
  enter_outputs(returned);
}

/// The model itself, then its inputs.
Inputs Walk::enter_inputs(const torch::jit::Function& method, const Graph& graph) {
  auto self = std::make_shared<AbstractValue>();
  self->content = context_.root._ivalue();
  Inputs arguments = {self};
  const auto& schema = method.getSchema().arguments();
  for (std::size_t i = 1; i < graph.inputs().size(); ++i) {
    Op op;
    op.kind = OpKind::input;
    op.type = "input";
    op.name = writer_.claim_name(input_name(*graph.inputs()[i]));
    op.parent = 0;
    if (i < schema.size() && schema[i].default_value())
      op.attributes.push_back(
          {"default", attribute_of(*schema[i].default_value()).value_or(AttributeValue{})});
    const OpId id = context_.graph.add_op(std::move(op));
    std::size_t output = 0;
    Abstract value = values_.result(graph.inputs()[i]->type(), id, output, false);
    context_.graph.op(id).outputs.resize(output);
    context_.state.add_input(value);
    notes_.add_model_input(i, id, value);
    arguments.push_back(std::move(value));
  }
  return arguments;
}

void Walk::enter_outputs(const Abstract& returned) {
  const Gathered data = writer_.gather({returned});
  for (std::size_t number = 0; number < data.operands.size(); ++number) {
    Op op;
    op.kind = OpKind::output;
    op.type = "output";
    op.name = writer_.claim_name("output_" + std::to_string(number));
    op.parent = 0;
    const OpId id = writer_.emit(std::move(op), {data.operands[number]});
    if (notes_.wanted()) notes_.add_model_output(id, data.places[number]);
  }
}

/// @return false when nothing comes after: it raises
bool Walk::walk_block(const Block& block, Environment& environment) {
  bool falls_through = true;
  for (const Node* node : block.nodes())
    falls_through = walk_node(*node, environment) && falls_through;
  return falls_through;
}

/// @return false when nothing comes after: the node raises
bool Walk::walk_node(const Node& node, Environment& environment) {
  if (nodes_left_-- == 0)
    throw Error(ErrorKind::too_large, "",
                "the model unfolds into more operations than any sensible network has",
                "export a part of it; a program of your own can raise ReadOptions::max_ops");
  bool falls_through = node.kind() != prim::RaiseException;
  if (node.kind() == prim::Constant)
    environment[node.output()] = operators_.constant(node);
  else if (node.kind() == prim::If)
    falls_through = control_flow_.walk_if(node, environment);
  else if (node.kind() == prim::Loop)
    control_flow_.walk_loop(node, environment);
  else
    walk_plain(node, environment);
  return falls_through;
}

/// A node without blocks.
void Walk::walk_plain(const Node& node, Environment& environment) {
  const Inputs inputs = values_.inputs_of(node, environment);
  const StateRecord::Node begin = context_.state.next();
  const auto read = state_notes_.read_by(node, inputs);
  state_notes_.add_writes(node, inputs, read);
  if (!walk_structure(node, inputs, environment)) operators_.walk(node, inputs, environment);
  note_holders(node, inputs, environment);
  state_notes_.add_shared(node, inputs, environment);
  state_notes_.add_computed(node, begin, read, environment);
}

/// An unknown list or dict may be one of those in a node's input collections.
void Walk::note_holders(const Node& node, const Inputs& inputs, const Environment& environment) {
  Inputs holders;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto contained = node.input(i)->type()->containedTypes();
    const bool module = node.input(i)->type()->kind() == c10::TypeKind::ClassType;
    if (!module && std::any_of(contained.begin(), contained.end(), holds_collections))
      holders.push_back(inputs[i]);
  }
  if (holders.empty() || node.kind() == prim::TupleConstruct) return;
  for (const Value* output : node.outputs())
    set_holders(environment.at(output), output->type(), holders);
}

/// Nodes that move values about without computing on them.
bool Walk::walk_structure(const Node& node, const Inputs& inputs, Environment& environment) {
  const auto bind = [&](Abstract value) {
    environment[node.output()] = std::move(value);
    return true;
  };
  switch (node.kind()) {
  case prim::GetAttr: return bind(attributes_.get(node, inputs[0]));
  case prim::SetAttr: return attributes_.set(node, inputs), true;
  case prim::CallMethod: return bind(calls_.method(node, inputs));
  case prim::CallFunction: return bind(calls_.function(node, inputs));
  case prim::TupleConstruct: return bind(make_items(inputs));
  case prim::ListUnpack:
  case prim::TupleUnpack: return unpack(node, inputs[0], environment);
  case prim::TupleIndex: return bind(values_.element(inputs[0], inputs[1], node.output()->type()));
  case prim::Uninitialized: {
    auto value = values_.unknown(node.output()->type());
    value->unreachable = true;
    return bind(value);
  }
  case prim::fork: return bind(calls_.fork(node, inputs));
  case aten::wait: return bind(inputs[0]);
  default: break;
  }
  if (node.kind() == module_container_index) return bind(attributes_.child(node, inputs));
  const auto value = collections_.walk(node, inputs);
  if (value && !node.outputs().empty()) environment[node.output()] = *value;
  return value.has_value();
}

bool Walk::unpack(const Node& node, const Abstract& value, Environment& environment) {
  const auto outputs = node.outputs();
  for (std::size_t i = 0; i < outputs.size(); ++i)
    environment[outputs[i]] =
        values_.element(value, make_known(static_cast<std::int64_t>(i)), outputs[i]->type());
  return true;
}

} // namespace model_validator::torchscript
