#include "verify/run/interpreter_implementation.h"

namespace model_validator::verify {

namespace attr = torch::jit::attr;
namespace prim = torch::jit::prim;
namespace aten = torch::jit::aten;

bool Interpreter::Implementation::run_call(RunFrame& frame, Node& node) {
  const auto kind = node.kind();
  if (kind == prim::CallMethod)
    call_method(frame, node, node.s(attr::name));
  else if (kind == prim::CallFunction)
    call_function(frame, node);
  else if (kind == prim::Enter)
    call_method(frame, node, "__enter__");
  else if (kind == prim::fork)
    fork(frame, node);
  else if (kind == aten::wait)
    frame.set(node, frame.input(node, 0).toFuture()->value());
  else if (kind == prim::Exit) {
    const auto object = frame.input(node, 0).toObject();
    auto& method = object->type()->getMethod("__exit__");
    enter(node, *torch::jit::toGraphFunction(method).graph(), {object, {}, {}, {}}, frame.path);
    for (const auto* output : node.outputs()) frame.values[output] = c10::IValue();
  } else
    return false;
  return true;
}

void Interpreter::Implementation::call_method(RunFrame& frame, Node& node,
                                              const std::string& method) {
  auto inputs = frame.inputs(node);
  auto& function = inputs.at(0).toObjectRef().type()->getMethod(method);
  const auto path = frame.object_paths.find(node.input(0));
  call(frame, node, *torch::jit::toGraphFunction(function).graph(), std::move(inputs),
       path != frame.object_paths.end() ? path->second : frame.path);
}

void Interpreter::Implementation::call_function(RunFrame& frame, Node& node) {
  auto* function = node.input(0)->type()->expect<c10::FunctionType>()->function();
  call(frame, node, *torch::jit::toGraphFunction(*function).graph(), frame.inputs(node, 1),
       frame.path);
}

c10::IValue Interpreter::Implementation::enter(Node& node, Graph& graph,
                                               std::vector<c10::IValue> inputs,
                                               const std::string& path) {
  if (observer_ != nullptr) observer_->on_enter(node, inputs);
  auto result = run_graph(graph, std::move(inputs), path);
  if (observer_ != nullptr) observer_->on_leave(node);
  return result;
}

/// Values that the caller no longer needs are handed over, so that the callee can free them.
void Interpreter::Implementation::call(RunFrame& frame, Node& node, Graph& graph,
                                       std::vector<c10::IValue> inputs, const std::string& path) {
  const std::string callee = path;
  frame.forget(dead_values_.after(&node));
  callers_.push_back(&node);
  frame.set(node, enter(node, graph, std::move(inputs), callee));
  callers_.pop_back();
  if (observer_ != nullptr) observe(frame, node, {});
}

void Interpreter::Implementation::fork(RunFrame& frame, Node& node) {
  auto result = enter(node, *node.g(attr::Subgraph), frame.inputs(node), frame.path);
  const auto type = node.output()->type()->expect<c10::FutureType>()->getElementType();
  auto future = c10::make_intrusive<c10::ivalue::Future>(type);
  future->markCompleted(std::move(result));
  frame.set(node, future);
}

bool Interpreter::Implementation::run_control(RunFrame& frame, Node& node) {
  if (node.kind() == prim::If)
    branch(frame, node);
  else if (node.kind() == prim::Loop)
    loop(frame, node);
  else
    return false;
  return true;
}

void Interpreter::Implementation::branch(RunFrame& frame, Node& node) {
  const bool taken = frame.input(node, 0).toBool();
  if (observer_ != nullptr) observer_->on_branch(node, taken);
  auto& arm = *node.blocks()[taken ? 0 : 1];
  run_block(frame, arm);
  for (std::size_t i = 0; i < node.outputs().size(); ++i)
    frame.values[node.outputs()[i]] = frame.value(arm.outputs()[i]);
  if (observer_ != nullptr) observe(frame, node, {});
}

void Interpreter::Implementation::loop(RunFrame& frame, Node& node) {
  auto& body = *node.blocks()[0];
  const std::int64_t limit = frame.input(node, 0).toInt();
  bool proceed = frame.input(node, 1).toBool();
  auto carried = frame.inputs(node, 2);
  std::int64_t round = 0;
  for (; round < limit && proceed; ++round) {
    count_step();
    frame.values[body.inputs()[0]] = round;
    for (std::size_t i = 0; i < carried.size(); ++i)
      frame.values[body.inputs()[i + 1]] = std::move(carried[i]);
    run_block(frame, body);
    proceed = frame.value(body.outputs()[0]).toBool();
    for (std::size_t i = 0; i < carried.size(); ++i)
      carried[i] = frame.value(body.outputs()[i + 1]);
  }
  if (observer_ != nullptr) observer_->on_loop(node, round);
  for (std::size_t i = 0; i < carried.size(); ++i) frame.values[node.outputs()[i]] = carried[i];
  if (observer_ != nullptr) observe(frame, node, {});
}

} // namespace model_validator::verify
