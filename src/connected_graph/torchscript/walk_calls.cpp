#include "connected_graph/op_type.h"
#include "connected_graph/torchscript/attribute_value.h"
#include "connected_graph/torchscript/python_names.h"
#include "connected_graph/torchscript/static_types.h"
#include "connected_graph/torchscript/walk.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/api/function_impl.h>

#include <algorithm>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t deepest_call = 256;

const torch::jit::Graph* graph_of(torch::jit::Function* function) {
  return function && function->isGraphFunction()
             ? torch::jit::toGraphFunction(*function).graph().get()
             : nullptr;
}

c10::TypePtr returned_type(const torch::jit::Graph& method) {
  const auto outputs = method.outputs();
  if (outputs.size() == 1) return outputs[0]->type();
  std::vector<c10::TypePtr> types;
  for (const torch::jit::Value* output : outputs) types.push_back(output->type());
  return c10::TupleType::create(std::move(types));
}

/// Whether a method computes on tensors: `__len__` of a container and the like are no calls of it.
bool handles_tensors(const torch::jit::Graph& method) {
  const auto holds = [](const torch::jit::Value* value) { return holds_tensor(value->type()); };
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

} // namespace

Abstract Walk::walk_function(const torch::jit::Graph& graph, const Inputs& arguments, Call& call) {
  if (++depth_ > deepest_call)
    throw Error(ErrorKind::too_deep, "",
                "the model's calls are nested more than " + std::to_string(deepest_call) +
                    " levels deep",
                "rewrite what calls itself as a loop, or export a part of the model");
  Call* const caller = call_;
  call_ = &call;
  Environment environment;
  for (std::size_t i = 0; i < graph.inputs().size() && i < arguments.size(); ++i)
    note_known(*graph.inputs()[i], environment[graph.inputs()[i]] = arguments[i]);
  walk_block(*graph.block(), environment);
  std::vector<Abstract> returned;
  for (const torch::jit::Value* output : graph.outputs())
    returned.push_back(value_of(output, environment));
  call_ = caller;
  --depth_;
  return returned.size() == 1 ? returned[0] : make_items(std::move(returned));
}

Abstract Walk::call_method(const torch::jit::Node& node, const Inputs& inputs) {
  const Abstract& self = inputs[0];
  if (self->object) return call_one(node, self, inputs);
  std::vector<Abstract> candidates;
  if (self->counter_of_loop != none) return call_each(node, self, inputs);
  if (!self->alternatives.empty()) return call_any(node, {self}, inputs);
  const auto type = node.input(0)->type()->cast<c10::ClassType>();
  const torch::jit::Graph* graph =
      type ? graph_of(type->findMethod(node.s(c10::attr::name))) : nullptr;
  if (!graph) return any_of(inputs, node.output()->type());
  Call call{call_->self, call_->code, call_->object,   frames_.frame_of(node, *call_),
            false,       call_,       context_of(node)};
  return walk_function(*graph, inputs, call);
}

/// One of several modules, whichever was decided: each is walked under its own condition.
Abstract Walk::call_any(const torch::jit::Node& node, const std::vector<Abstract>& candidates,
                        const Inputs& inputs) {
  std::vector<Abstract> results;
  for (const Abstract& candidate : candidates) {
    if (candidate->object) results.push_back(call_one(node, candidate, inputs));
    for (const auto& [literal, alternative] : candidate->alternatives) {
      if (!compatible({literal}, path_) || is_none(*alternative).value_or(false)) continue;
      const PathCondition outer = path_;
      const std::size_t opened = state_.open();
      path_.push_back(literal);
      results.push_back(call_any(node, {alternative}, inputs));
      path_ = outer;
      state_.close(opened);
    }
  }
  return results.empty() ? unknown(node.output()->type()) : any_of(results, node.output()->type());
}

/// The children of a container, one an iteration: none of them twice in that loop.
Abstract Walk::call_each(const torch::jit::Node& node, const Abstract& container,
                         const Inputs& inputs) {
  const std::size_t outer_times = times_;
  const auto trips = trips_.find(container->counter_of_loop);
  if (trips != trips_.end()) times_ /= std::max<std::size_t>(trips->second, 1);
  times_ = std::max<std::size_t>(times_, 1);
  std::vector<Abstract> results;
  for (const Abstract& child : container->items->values)
    if (child->object) results.push_back(call_one(node, child, inputs));
  times_ = outer_times;
  return results.empty() ? unknown(node.output()->type()) : any_of(results, node.output()->type());
}

std::size_t Walk::record_call(ModuleId module, const std::string& method) {
  Calls& calls = calls_[module];
  calls.conditions.push_back({path_, times_});
  calls.sites.push_back({none, region_, method, none, times_});
  calls.order.push_back(calls_so_far_++);
  return calls.sites.size() - 1;
}

Abstract Walk::call_one(const torch::jit::Node& node, const Abstract& self, const Inputs& inputs) {
  const std::string& method = node.s(c10::attr::name);
  const torch::jit::Graph* body = graph_of(self->object->type()->findMethod(method));
  if (!body) return any_of(inputs, node.output()->type());
  Inputs arguments = inputs;
  arguments[0] = self;
  const ModuleId module = modules_.id_of(*self->object);
  const FrameId site = frames_.frame_of(node, *call_);
  const NodeMap::Context context = context_of(node, self->object.get());
  const bool own = module == none || self->object.get() == call_->object;
  const bool forward = python_method(method) == "forward";
  if (own || collecting_ || !(forward || handles_tensors(*body))) {
    const ModuleId code = module == none ? call_->code : module;
    Call call{call_->self, code, self->object.get(), site, false, call_, context};
    return walk_function(*body, arguments, call);
  }
  const std::size_t record = record_call(module, python_method(method));
  Call call{forward ? module : call_->self, module, self->object.get(), site, true, call_, context};
  const Module& described = graph_.module(module);
  Abstract returned = described.leaf && described.torch_nn
                          ? call_leaf(node, *body, module, arguments, call, record)
                          : walk_function(*body, arguments, call);
  calls_[module].sites[record].frame = call.site;
  return returned;
}

/// The operators that a call stands for: it is walked without entering anything into the graph.
std::shared_ptr<const std::vector<Operator>> Walk::collect(const torch::jit::Graph& body,
                                                           const Inputs& arguments, Call& call,
                                                           Abstract& returned) {
  auto operators = std::make_shared<std::vector<Operator>>();
  collecting_ = operators.get();
  written_.clear();
  returned = walk_function(body, arguments, call);
  collecting_ = nullptr;
  return operators;
}

/// What the one op yields that stands for a whole call, whose body returned `computed`.
Abstract Walk::yield_of(const torch::jit::Node& node, NodeRecord record, bool query,
                        const Abstract& computed) {
  std::size_t output = 0;
  const StateRecord::Node source = state_.read(computed);
  const StateRecord::Node begin = state_.next();
  Abstract returned = result(node.output()->type(), record.op, output, query);
  state_.compute(returned, begin, std::span(&source, 1));
  graph_.op(record.op).outputs.resize(output);
  note(node, std::move(record), Inputs{returned});
  return returned;
}

/// The op that stands for a call of a leaf.
Walk::Leaf Walk::emit_leaf(const torch::jit::Graph& body, ModuleId module, const Inputs& inputs,
                           Call& call) {
  Leaf leaf;
  Op op;
  op.body = collect(body, inputs, call, leaf.returned);
  op.kind = OpKind::module;
  op.type = type_of_class(graph_.module(module).class_name);
  op.name = unique_name(op.type);
  op.module = module;
  op.parent = call_ ? call_->self : none;
  op.frame = call.site;
  op.parameters = graph_.module(module).parameters;
  leaf.data = gather(inputs, Gather::only_products);
  leaf.op = emit(std::move(op), leaf.data.operands);
  return leaf;
}

Abstract Walk::call_leaf(const torch::jit::Node& node, const torch::jit::Graph& body,
                         ModuleId module, const Inputs& inputs, Call& call, std::size_t site) {
  Leaf leaf = emit_leaf(body, module, inputs, call);
  calls_[module].sites[site].op = leaf.op;
  redirect_written(inputs, leaf.op);
  return yield_of(node, {leaf.op, none, std::move(leaf.data.places), {}, {}}, false, leaf.returned);
}

/// The model itself is a leaf: no node calls it, and no code of the user's.
Abstract Walk::call_root_leaf(const torch::jit::Graph& body, const Inputs& inputs, Call& call,
                              std::size_t site) {
  Leaf leaf = emit_leaf(body, 0, inputs, call);
  calls_[0].sites[site].op = leaf.op;
  const StateRecord::Node source = state_.read(leaf.returned);
  const StateRecord::Node begin = state_.next();
  std::size_t output = 0;
  Abstract returned = result(returned_type(body), leaf.op, output, false);
  state_.compute(returned, begin, std::span(&source, 1));
  graph_.op(leaf.op).outputs.resize(output);
  note_root_leaf({leaf.op, none, std::move(leaf.data.places), {}, {}}, returned);
  return returned;
}

Abstract Walk::call_function(const torch::jit::Node& node, const Inputs& inputs) {
  const auto type = node.input(0)->type()->cast<c10::FunctionType>();
  torch::jit::Function* function = type ? type->function() : nullptr;
  const torch::jit::Graph* graph = graph_of(function);
  if (!graph) return any_of(inputs, node.output()->type());
  const Inputs arguments(inputs.begin() + 1, inputs.end());
  const std::string name = python_name(function->qualname().qualifiedName());
  Call call{call_->self, call_->code, call_->object, none, false, call_, context_of(node)};
  if (collecting_) return walk_function(*graph, arguments, call);
  call.site = frames_.frame_of(node, *call_);
  if (!is_torch_functional(name)) return walk_function(*graph, arguments, call);

  Op op;
  Abstract computed;
  op.body = collect(*graph, arguments, call, computed);
  op.kind = holds_tensor(node.output()->type()) ? OpKind::functional : OpKind::query;
  op.type = functional_type(name);
  op.name = unique_name(op.type);
  op.schema = name;
  op.frame = call.site;
  const auto& schema = function->getSchema().arguments();
  for (std::size_t i = 0; i < arguments.size() && i < schema.size(); ++i)
    if (auto value = attribute_of(arguments[i]))
      op.attributes.push_back({schema[i].name(), *value});
  Gathered data = gather(arguments);
  const bool query = op.kind == OpKind::query;
  const OpId id = emit(std::move(op), data.operands);
  redirect_written(arguments, id);
  return yield_of(node, {id, none, std::move(data.places), {}, {}}, query, computed);
}

/// `torch.jit.fork`: what runs beside is walked where it is started.
Abstract Walk::walk_fork(const torch::jit::Node& node, const Inputs& inputs) {
  const auto graph = node.g(c10::attr::Subgraph);
  Call call{call_->self, call_->code, call_->object,   frames_.frame_of(node, *call_),
            false,       call_,       context_of(node)};
  return walk_function(*graph, inputs, call);
}

} // namespace model_validator::torchscript
