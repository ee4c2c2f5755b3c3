#include "connected_graph/torchscript/calls.h"

#include "connected_graph/attributes.h"
#include "connected_graph/op_type.h"
#include "connected_graph/torchscript/code/attribute_value.h"
#include "connected_graph/torchscript/code/static_types.h"
#include "connected_graph/torchscript/python_names.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/api/function_impl.h>

#include <algorithm>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t max_call_depth = 256;

const Graph* graph_of(torch::jit::Function* function) {
  return function && function->isGraphFunction()
             ? torch::jit::toGraphFunction(*function).graph().get()
             : nullptr;
}

c10::TypePtr returned_type(const Graph& method) {
  const auto outputs = method.outputs();
  if (outputs.size() == 1) return outputs[0]->type();
  std::vector<c10::TypePtr> types;
  for (const Value* output : outputs) types.push_back(output->type());
  return c10::TupleType::create(std::move(types));
}

/// Whether a method computes on tensors: `__len__` of a container and the like do not count as
/// calls.
bool handles_tensors(const Graph& method) {
  const auto holds = [](const Value* value) { return holds_tensor(value->type()); };
  const auto inputs = method.inputs();
  const auto outputs = method.outputs();
  return std::any_of(inputs.begin() + (inputs.empty() ? 0 : 1), inputs.end(), holds) ||
         std::any_of(outputs.begin(), outputs.end(), holds);
}

/// `_max_pool2d` is what `max_pool2d` dispatches to; users know it without the underscore.
std::string functional_type(const std::string& python_function) {
  std::string type = python_function.substr(python_function.rfind('.') + 1);
  while (type.size() > 1 && type.front() == '_') type.erase(0, 1);
  return type_of_schema(type);
}

bool is_torch_leaf(const Module& module) { return module.leaf && module.torch_nn; }

/// Whether the whole model is one torch module. A frozen one keeps its class, but neither
/// attributes nor parameters.
bool is_whole_leaf(const Module& root) {
  return is_torch_leaf(root) && find_attribute(root.attributes, "training") != nullptr;
}

} // namespace

Calls::Calls(WalkContext& context, Values& values, OpWriter& writer, NodeNotes& notes,
             WalkBlock walk_block)
    : context_(context), scope_(context.scope), values_(values), writer_(writer), notes_(notes),
      walk_block_(std::move(walk_block)) {}

Abstract Calls::walk(const Graph& body, const Inputs& arguments, Call& call) {
  if (scope_.depth >= max_call_depth)
    throw Error(ErrorKind::too_deep, "",
                "the model's calls are nested more than " + std::to_string(max_call_depth) +
                    " levels deep",
                "rewrite the recursion as a loop, or export a part of the model");
  const Within deeper(scope_.depth, scope_.depth + 1);
  const Within inside(scope_.call, &call);
  Environment environment;
  for (std::size_t i = 0; i < body.inputs().size() && i < arguments.size(); ++i)
    environment[body.inputs()[i]] = arguments[i];
  walk_block_(*body.block(), environment);
  std::vector<Abstract> returned;
  for (const Value* output : body.outputs()) returned.push_back(values_.of(output, environment));
  return returned.size() == 1 ? returned[0] : make_items(std::move(returned));
}

Abstract Calls::one_of(const std::vector<Abstract>& results, const c10::TypePtr& type) {
  if (results.empty()) return values_.unknown(type);
  Abstract any = values_.any_of(results, type);
  if (results.size() > 1 && holds_collections(type)) any->may_alias = results;
  return any;
}

Abstract Calls::method(const Node& node, const Inputs& inputs) {
  const Abstract& self = inputs[0];
  if (self->object()) return call_one(node, self, inputs);
  if (self->counter_of_loop != none) return call_each(node, self, inputs);
  if (!self->alternatives.empty()) return call_alternatives(node, self, inputs);
  const auto type = node.input(0)->type()->cast<c10::ClassType>();
  const Graph* graph = type ? graph_of(type->findMethod(node.s(attr::name))) : nullptr;
  if (!graph) return values_.any_of(inputs, node.output()->type());
  Call call = scope_.call->of_function(context_.frame_of(node), notes_.enter(node));
  return walk(*graph, inputs, call);
}

/// A call of one of several modules, as decided at run time: each is walked under its own
/// condition.
Abstract Calls::call_alternatives(const Node& node, const Abstract& candidate,
                                  const Inputs& inputs) {
  std::vector<Abstract> results;
  for (const auto& [literal, alternative] : candidate->alternatives) {
    if (!compatible({literal}, scope_.path) || is_none(*alternative).value_or(false)) continue;
    PathCondition path = scope_.path;
    path.push_back(literal);
    const Within under(scope_.path, std::move(path));
    const std::size_t opened = context_.state.replaced().open();
    results.push_back(alternative->object() ? call_one(node, alternative, inputs)
                                            : call_alternatives(node, alternative, inputs));
    context_.state.replaced().close(opened);
  }
  return one_of(results, node.output()->type());
}

/// The children of a container, one per iteration: none is called twice in that loop.
Abstract Calls::call_each(const Node& node, const Abstract& container, const Inputs& inputs) {
  const Within once(scope_.times, scope_.times_once_in(container->counter_of_loop));
  std::vector<Abstract> results;
  for (const Abstract& child : container->items()->values)
    if (child->object()) results.push_back(call_one(node, child, inputs));
  return one_of(results, node.output()->type());
}

std::size_t Calls::record(ModuleId module, const std::string& method) {
  ModuleCalls& calls = of_modules_[module];
  calls.conditions.push_back({scope_.path, scope_.times});
  calls.sites.push_back({none, scope_.region, method, none, scope_.times});
  calls.order.push_back(so_far_++);
  return calls.sites.size() - 1;
}

Abstract Calls::call_one(const Node& node, const Abstract& self, const Inputs& inputs) {
  const std::string& name = node.s(attr::name);
  const c10::ivalue::Object* object = self->object();
  const Graph* body = graph_of(object->type()->findMethod(name));
  if (!body) return values_.any_of(inputs, node.output()->type());
  Inputs arguments = inputs;
  arguments[0] = self;
  const ModuleId module = context_.modules.id_of(*object);
  Call call = scope_.call->of_function(context_.frame_of(node), notes_.enter(node, object));
  const bool own = module == none || object == scope_.call->object;
  const bool forward = python_method(name) == "forward";
  if (module != none) call.code = module;
  call.object = object;
  if (own || scope_.collecting || !(forward || handles_tensors(*body)))
    return walk(*body, arguments, call);
  if (forward) call.self = module;
  call.module_call = true;
  const std::size_t site = record(module, python_method(name));
  Abstract returned;
  if (is_torch_leaf(context_.graph.module(module))) {
    Leaf leaf = emit_leaf(*body, module, arguments, call);
    of_modules_[module].sites[site].op = leaf.op;
    returned = result_of(leaf, node.output()->type(), false);
    note_leaf(node, std::move(leaf), returned);
  } else {
    returned = walk(*body, arguments, call);
  }
  of_modules_[module].sites[site].frame = call.site;
  return returned;
}

Abstract Calls::root(const Graph& body, const std::string& method, const Inputs& arguments) {
  Call call{0, 0, context_.root._ivalue().get(), none, true, nullptr};
  const std::size_t site = record(0, method);
  if (!is_whole_leaf(context_.graph.module(0))) return walk(body, arguments, call);
  Leaf leaf = emit_leaf(body, 0, arguments, call);
  of_modules_[0].sites[site].op = leaf.op;
  Abstract returned = result_of(leaf, returned_type(body), false);
  notes_.add_root_leaf({leaf.op, none, std::move(leaf.data.places), {}, {}}, returned);
  return returned;
}

/// The operators that a call represents: it is walked without adding anything to the graph.
std::shared_ptr<const std::vector<Operator>>
Calls::collect(const Graph& body, const Inputs& arguments, Call& call, Abstract& returned) {
  auto operators = std::make_shared<std::vector<Operator>>();
  const Within leaf(scope_.collecting, operators.get());
  writer_.begin_leaf();
  returned = walk(body, arguments, call);
  return operators;
}

/// The result of the op that represents a whole call.
Abstract Calls::result_of(const Leaf& leaf, const c10::TypePtr& type, bool query) {
  StateRecord& state = context_.state;
  std::size_t output = 0;
  const StateRecord::Node source = state.read(leaf.returned);
  const StateRecord::Node begin = state.next();
  Abstract returned = values_.result(type, leaf.op, output, query);
  state.compute(returned, begin, std::span(&source, 1));
  context_.graph.op(leaf.op).outputs.resize(output);
  return returned;
}

void Calls::note_leaf(const Node& node, Leaf leaf, const Abstract& returned) {
  notes_.add(node, {leaf.op, none, std::move(leaf.data.places), {}, {}}, Inputs{returned});
}

/// The op that represents a call of a leaf.
Calls::Leaf Calls::emit_leaf(const Graph& body, ModuleId module, const Inputs& inputs, Call& call) {
  Leaf leaf;
  Op op;
  op.body = collect(body, inputs, call, leaf.returned);
  op.kind = OpKind::module;
  op.type = type_of_class(context_.graph.module(module).class_name);
  op.name = writer_.unique_name(op.type);
  op.module = module;
  op.parent = scope_.call ? scope_.call->self : none;
  op.frame = call.site;
  op.parameters = context_.graph.module(module).parameters;
  leaf.data = writer_.gather(inputs, OpWriter::Gather::only_products);
  leaf.op = writer_.emit(std::move(op), leaf.data.operands);
  writer_.redirect_written(inputs, leaf.op);
  return leaf;
}

Abstract Calls::function(const Node& node, const Inputs& inputs) {
  const auto type = node.input(0)->type()->cast<c10::FunctionType>();
  torch::jit::Function* function = type ? type->function() : nullptr;
  const Graph* body = graph_of(function);
  if (!body) return values_.any_of(inputs, node.output()->type());
  const Inputs arguments(inputs.begin() + 1, inputs.end());
  Call call = scope_.call->of_function(none, notes_.enter(node));
  if (scope_.collecting) return walk(*body, arguments, call);
  call.site = context_.frame_of(node);
  const std::string name = python_name(function->qualname().qualifiedName());
  if (!is_torch_functional(name)) return walk(*body, arguments, call);
  const bool query = !holds_tensor(node.output()->type());
  Leaf leaf = emit_function(*function, query, arguments, call);
  Abstract returned = result_of(leaf, node.output()->type(), query);
  note_leaf(node, std::move(leaf), returned);
  return returned;
}

/// The op that represents a call of one of torch's functions.
Calls::Leaf Calls::emit_function(torch::jit::Function& function, bool query,
                                 const Inputs& arguments, Call& call) {
  Leaf leaf;
  Op op;
  op.body = collect(*graph_of(&function), arguments, call, leaf.returned);
  op.kind = query ? OpKind::query : OpKind::functional;
  op.schema = python_name(function.qualname().qualifiedName());
  op.type = functional_type(op.schema);
  op.name = writer_.unique_name(op.type);
  op.frame = call.site;
  const auto& schema = function.getSchema().arguments();
  for (std::size_t i = 0; i < arguments.size() && i < schema.size(); ++i)
    if (auto value = attribute_of(arguments[i]))
      op.attributes.push_back({schema[i].name(), *value});
  leaf.data = writer_.gather(arguments);
  leaf.op = writer_.emit(std::move(op), leaf.data.operands);
  writer_.redirect_written(arguments, leaf.op);
  return leaf;
}

Abstract Calls::fork(const Node& node, const Inputs& inputs) {
  const auto graph = node.g(attr::Subgraph);
  Call call = scope_.call->of_function(context_.frame_of(node), notes_.enter(node));
  return walk(*graph, inputs, call);
}

} // namespace model_validator::torchscript
