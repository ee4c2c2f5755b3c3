#include "verify/run/retrace.h"

#include "verify/run/fresh_copy.h"
#include "verify/run/recording_check.h"
#include "verify/run/tensor_tree.h"

#include <ATen/ops/scalar_tensor.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>
#include <unordered_map>

namespace model_validator::verify {
namespace {

/// Tensors that the run does not compute, each with what it held before the run.
struct Originals {
  std::vector<at::Tensor> used;
  std::vector<at::Tensor> before;
};

/// LibTorch's own helpers of TorchScript write into memory unseen by the tracer, as `torch.tensor`
/// does with a list of numbers.
bool works_unseen(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) {
  const auto* op = node.maybeOperator();
  return op != nullptr && !op->isC10Op() && std::ranges::none_of(inputs, holds_tensor);
}

/// Gives nodes that were recorded since the last step the line and module of the node that was run.
/// What an operator makes unseen out of nothing but numbers is a constant.
class OriginRecorder final : public RunObserver {
public:
  /// @param watcher  sees what is recorded; null where nobody does
  OriginRecorder(torch::jit::Graph& graph, Originals& originals, RecordingWatcher* watcher)
      : graph_(graph), last_(graph.block()->return_node()->prev()), originals_(originals),
        watcher_(watcher) {}

  void on_enter(const torch::jit::Node& call, const std::vector<c10::IValue>& inputs) override {
    if (watcher_ != nullptr) watcher_->on_enter(call, inputs);
  }
  void on_leave(const torch::jit::Node& call) override {
    if (watcher_ != nullptr) watcher_->on_leave(call);
  }

  void before_step(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) override {
    if (watcher_ != nullptr) watcher_->before_step(node, inputs);
    if (!works_unseen(node, inputs)) return;
    paused_ = torch::jit::tracer::getTracingState();
    torch::jit::tracer::setTracingState(nullptr);
  }

  void on_step(const Step& step) override {
    if (paused_) resume(step.outputs);
    auto* end = graph_.block()->return_node();
    if (last_->next() == end) return;
    auto scope = c10::make_intrusive<torch::jit::Scope>();
    if (!step.module_path.empty()) scope = scope->push(c10::Symbol::scope(step.module_path));
    std::vector<torch::jit::Node*> recorded;
    for (auto* node = last_->next(); node != end; node = node->next()) {
      node->setSourceRange(step.node.sourceRange());
      node->setScope(scope);
      recorded.push_back(node);
    }
    if (watcher_ != nullptr) watcher_->on_recorded(step, recorded);
    last_ = end->prev();
  }

private:
  void resume(const std::vector<c10::IValue>& outputs) {
    for (const auto& output : outputs)
      for_each_tensor(output, [&](const at::Tensor& tensor) {
        originals_.used.push_back(tensor);
        originals_.before.push_back(tensor.clone());
      });
    torch::jit::tracer::setTracingState(std::move(paused_));
  }

  torch::jit::Graph& graph_;
  torch::jit::Node* last_;
  Originals& originals_;
  RecordingWatcher* watcher_;
  std::shared_ptr<torch::jit::tracer::TracingState> paused_;
};

/// The inputs with their tensors replaced by `tensors`, in order.
std::vector<c10::IValue> with_tensors(const std::vector<c10::IValue>& inputs,
                                      const torch::jit::Stack& tensors) {
  std::size_t next = 0;
  std::vector<c10::IValue> result;
  for (const auto& input : inputs)
    result.push_back(
        map_tensors(input, [&](const at::Tensor&) { return tensors.at(next++).toTensor(); }));
  return result;
}

/// The tracer takes no constants that require gradients.
void forget_gradients(const torch::jit::Module& module) {
  for (const c10::IValue& attribute : module.attributes())
    for_each_tensor(attribute, [](const at::Tensor& tensor) {
      if (tensor.requires_grad() && tensor.is_leaf()) tensor.set_requires_grad(false);
    });
}

/// Null for a tensor without bytes, or whose bytes no pointer leads to.
const void* data_of(const at::Tensor& tensor) {
  const bool has_bytes = tensor.defined() && tensor.has_storage() && !tensor.is_meta();
  return has_bytes && tensor.numel() > 0 ? tensor.const_data_ptr() : nullptr;
}

const at::Tensor* constant_of(const torch::jit::Node& node) {
  namespace attr = torch::jit::attr;
  const bool is_tensor = node.kind() == torch::jit::prim::Constant &&
                         node.hasAttribute(attr::value) &&
                         node.kindOf(attr::value) == torch::jit::AttributeKind::t;
  return is_tensor ? &node.t(attr::value) : nullptr;
}

/// A constant is a tensor that existed before, with what the run has written into it.
void restore_constants(torch::jit::Graph& graph, const Originals& originals) {
  const auto& [used, before] = originals;
  std::unordered_map<const void*, at::Tensor> original;
  for (std::size_t i = 0; i < used.size() && i < before.size(); ++i)
    if (const void* data = data_of(used[i])) original.emplace(data, before[i]);
  for (auto* node : graph.nodes()) {
    const at::Tensor* value = constant_of(*node);
    const auto found = value != nullptr ? original.find(data_of(*value)) : original.end();
    if (found != original.end() && found->second.sizes() == value->sizes() &&
        found->second.scalar_type() == value->scalar_type())
      node->t_(torch::jit::attr::value, found->second);
  }
}

void append_flat(const c10::IValue& value, std::vector<at::Tensor>& tensors) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) tensors.push_back(value.toTensor());
  } else if (value.isTuple()) {
    for (const auto& element : value.toTupleRef().elements()) append_flat(element, tensors);
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) append_flat(element, tensors);
  } else if (value.isGenericDict()) {
    for (const auto& item : value.toGenericDict()) append_flat(item.value(), tensors);
  } else if (value.isInt()) {
    tensors.push_back(at::scalar_tensor(value.toInt(), at::kLong));
  } else if (value.isDouble()) {
    tensors.push_back(at::scalar_tensor(value.toDouble(), at::kDouble));
  } else if (value.isBool()) {
    tensors.push_back(at::scalar_tensor(value.toBool(), at::kBool));
  }
}

} // namespace

std::vector<at::Tensor> flat_tensors(const c10::IValue& result) {
  std::vector<at::Tensor> tensors;
  append_flat(result, tensors);
  return tensors;
}

std::string module_path_of(torch::jit::Node& node) {
  const auto scope = node.scope();
  return !scope || scope->isRoot() || scope->isBlank() ? "" : scope->name().toUnqualString();
}

namespace {

FlatGraph recorded(const torch::jit::Module& module, const torch::jit::Module& used,
                   const std::vector<c10::IValue>& inputs, RecordingWatcher* watcher) {
  const c10::NoGradGuard no_gradients;
  Originals originals{tensors_of(used.attributes()), tensors_of(module.attributes())};
  const RecordingCheck check;
  torch::jit::Stack tensors;
  for (const auto& tensor : tensors_of(inputs)) tensors.emplace_back(tensor.clone());
  FlatGraph flat;
  const auto run = [&](torch::jit::Stack traced) {
    OriginRecorder recorder(*torch::jit::tracer::getTracingState()->graph, originals, watcher);
    flat.result = Interpreter(used).run(with_tensors(inputs, traced), &recorder);
    torch::jit::Stack outputs;
    for (const auto& tensor : flat_tensors(flat.result)) outputs.emplace_back(tensor);
    return outputs;
  };
  const auto nameless = [](const at::Tensor&) { return std::string(); };
  const auto [state, results] = torch::jit::tracer::trace(tensors, run, nameless, false);
  flat.graph = state->graph;
  restore_constants(*flat.graph, originals);
  torch::jit::EliminateDeadCode(flat.graph);
  check.require_same(*flat.graph, tensors_of(inputs),
                     flat_tensors(c10::ivalue::Tuple::create(results)));
  return flat;
}

} // namespace

FlatGraph retrace(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs) {
  forget_gradients(module);
  return recorded(module, fresh_copy(module), inputs, nullptr);
}

FlatGraph retrace(const torch::jit::Module& module, const torch::jit::Module& copy,
                  const std::vector<c10::IValue>& inputs, RecordingWatcher& watcher) {
  forget_gradients(module);
  forget_gradients(copy);
  return recorded(module, copy, inputs, &watcher);
}

} // namespace model_validator::verify
