#include "verify/run/failure.h"
#include "verify/run/interpreter_implementation.h"
#include "verify/run/retrace.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>

#include <c10/core/GradMode.h>
#include <torch/csrc/jit/ir/constants.h>

namespace model_validator::verify {

namespace attr = torch::jit::attr;
namespace prim = torch::jit::prim;
namespace aten = torch::jit::aten;

namespace {

/// The node of `block` that `user` is, or lies within; null when it lies elsewhere.
Node* enclosing_node(Node* user, const Block& block) {
  while (user != nullptr && user->owningBlock() != &block) user = user->owningBlock()->owningNode();
  return user;
}

} // namespace

void DeadValues::analyse(Block& block) {
  for (auto* value : block.inputs()) note_last_use(*value, block);
  for (auto* node : block.nodes()) {
    for (auto* value : node->outputs()) note_last_use(*value, block);
    for (auto* inner : node->blocks()) analyse(*inner);
  }
}

void DeadValues::note_last_use(torch::jit::Value& value, const Block& block) {
  Node* last = value.node()->kind() == torch::jit::prim::Param ? nullptr : value.node();
  for (const auto& use : value.uses()) {
    auto* user = enclosing_node(use.user, block);
    if (user == nullptr || user->kind() == torch::jit::prim::Return) return;
    if (last == nullptr || last->isBefore(user)) last = user;
  }
  if (last != nullptr) dead_[last].push_back(&value);
}

const std::vector<const torch::jit::Value*>& DeadValues::after(const Node* node) const {
  static const std::vector<const torch::jit::Value*> nothing;
  const auto found = dead_.find(node);
  return found == dead_.end() ? nothing : found->second;
}

Interpreter::Interpreter(torch::jit::Module module, RunMode mode, std::size_t max_steps)
    : implementation_(std::make_unique<Implementation>(std::move(module), Execution::create(mode),
                                                       max_steps)) {}
Interpreter::Interpreter(torch::jit::Module module, std::unique_ptr<Execution> execution)
    : implementation_(std::make_unique<Implementation>(std::move(module), std::move(execution))) {}
Interpreter::~Interpreter() = default;
Interpreter::Interpreter(Interpreter&&) noexcept = default;
Interpreter& Interpreter::operator=(Interpreter&&) noexcept = default;

c10::IValue Interpreter::run(std::vector<c10::IValue> inputs, RunObserver* observer,
                             const std::string& method) {
  return implementation_->run(std::move(inputs), observer, method);
}

std::vector<c10::IValue> RunFrame::inputs(const Node& node, std::size_t first) const {
  std::vector<c10::IValue> result;
  result.reserve(node.inputs().size());
  for (std::size_t i = first; i < node.inputs().size(); ++i) result.push_back(input(node, i));
  return result;
}

void RunFrame::forget(const std::vector<const torch::jit::Value*>& dead) {
  for (const auto* value : dead) values.erase(value);
}

c10::IValue Interpreter::Implementation::run(std::vector<c10::IValue> inputs, RunObserver* observer,
                                             const std::string& method) {
  const c10::NoGradGuard no_gradients;
  observer_ = observer;
  steps_ = 0;
  callers_.clear();
  const auto state = execution_->enter_state(module_);
  auto& function = module_._ivalue()->type()->getMethod(method);
  for (auto& input : inputs) input = execution_->enter(input);
  inputs.insert(inputs.begin(), module_._ivalue());
  try {
    function.getSchema().checkAndNormalizeInputs(inputs, {});
  } catch (const std::exception& failure) {
    throw Error(ErrorKind::bad_inputs, "",
                "the inputs do not fit the model: " + sentence_of(failure));
  }
  return run_graph(*torch::jit::toGraphFunction(function).graph(), std::move(inputs), "");
}

c10::IValue Interpreter::Implementation::run_graph(Graph& graph, std::vector<c10::IValue> inputs,
                                                   const std::string& path) {
  dead_values_.analyse(graph);
  RunFrame frame;
  frame.path = path;
  for (std::size_t i = 0; i < graph.inputs().size(); ++i)
    frame.values[graph.inputs()[i]] = std::move(inputs.at(i));
  if (!graph.inputs().empty()) frame.object_paths[graph.inputs()[0]] = path;
  run_block(frame, *graph.block());
  return frame.value(graph.outputs().at(0));
}

void Interpreter::Implementation::run_block(RunFrame& frame, Block& block) {
  for (auto* node : block.nodes()) {
    try {
      run_node(frame, *node);
    } catch (const Error&) {
      throw;
    } catch (const std::exception& failure) {
      throw failure_of(*node, frame.path, failure);
    }
    frame.forget(dead_values_.after(node));
  }
}

void Interpreter::Implementation::run_node(RunFrame& frame, Node& node) {
  if (run_special(frame, node)) return;
  count_step();
  if (run_control(frame, node) || run_call(frame, node)) return;
  if (run_container(frame, node)) {
    if (observer_ != nullptr) observe(frame, node, frame.inputs(node));
    return;
  }
  run_operator(frame, node);
}

void Interpreter::Implementation::count_step() {
  if (++steps_ > max_steps_ && max_steps_ != 0)
    throw Error(ErrorKind::too_long, "",
                "the model took more than " + std::to_string(max_steps_) +
                    " steps without finishing",
                "allow more with `--max-steps`");
}

bool Interpreter::Implementation::run_special(RunFrame& frame, Node& node) {
  const auto kind = node.kind();
  if (kind == prim::Constant) {
    if (auto value = torch::jit::toIValue(node.output()))
      frame.set(node, execution_->enter_constant(*value));
  } else if (kind == prim::GetAttr) {
    const auto& name = node.s(attr::name);
    auto value = frame.input(node, 0).toObjectRef().getAttr(name);
    const auto path = frame.object_paths.find(node.input());
    if (value.isObject() && path != frame.object_paths.end())
      frame.object_paths[node.output()] = path->second.empty() ? name : path->second + "." + name;
    value = execution_->enter_attribute(value);
    frame.set(node, std::move(value));
  } else if (kind == prim::SetAttr) {
    frame.input(node, 0).toObject()->setAttr(node.s(attr::name), frame.input(node, 1));
  } else {
    // A model's own prints and warnings are not passed on.
    return kind == aten::warn || kind == prim::Print;
  }
  return true;
}

Callable& Interpreter::Implementation::callable(Node& node) {
  const auto found = callables_.find(&node);
  return found != callables_.end() ? found->second
                                   : callables_.emplace(&node, callable_of(node)).first->second;
}

void Interpreter::Implementation::run_operator(RunFrame& frame, Node& node) {
  auto& operation = callable(node);
  torch::jit::Stack stack = frame.inputs(node);
  std::vector<c10::IValue> inputs;
  if (observer_ != nullptr) {
    inputs = stack;
    observer_->before_step(node, inputs);
  }
  execution_->run(node, operation, stack);
  const std::size_t count = node.outputs().size();
  TORCH_CHECK(stack.size() >= count, "the operator returned ", stack.size(), " of ", count,
              " values");
  for (std::size_t i = 0; i < count; ++i)
    frame.values[node.outputs()[i]] = std::move(stack[stack.size() - count + i]);
  if (observer_ != nullptr) observe(frame, node, inputs);
}

void Interpreter::Implementation::observe(const RunFrame& frame, Node& node,
                                          const std::vector<c10::IValue>& inputs) {
  std::vector<c10::IValue> outputs;
  for (const auto* output : node.outputs()) outputs.push_back(frame.value(output));
  // A flat graph has no calls of modules, but its nodes know theirs.
  const std::string& path = frame.path.empty() ? module_path_of(node) : frame.path;
  observer_->on_step({node, path, inputs, outputs, callers_});
}

} // namespace model_validator::verify
