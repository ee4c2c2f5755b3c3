#include "verify/run/retrace.h"

#include "verify/run/fresh_copy.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/verify/interpreter.h>

#include <ATen/ops/scalar_tensor.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <unordered_map>

namespace model_validator::verify {
namespace {

/// Gives nodes that were recorded since the last step the line and module of the node that was run.
class OriginRecorder final : public RunObserver {
public:
  explicit OriginRecorder(torch::jit::Graph& graph)
      : graph_(graph), last_(graph.block()->return_node()->prev()) {}

  void on_step(const Step& step) override {
    auto* end = graph_.block()->return_node();
    if (last_->next() == end) return;
    auto scope = c10::make_intrusive<torch::jit::Scope>();
    if (!step.module_path.empty()) scope = scope->push(c10::Symbol::scope(step.module_path));
    for (auto* node = last_->next(); node != end; node = node->next()) {
      node->setSourceRange(step.node.sourceRange());
      node->setScope(scope);
    }
    last_ = end->prev();
  }

private:
  torch::jit::Graph& graph_;
  torch::jit::Node* last_;
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

std::vector<at::Tensor> attribute_tensors(const torch::jit::Module& module) {
  std::vector<at::Tensor> tensors;
  for (const c10::IValue& attribute : module.attributes())
    for_each_tensor(attribute, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
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
/// @param used  of the module that was run, each with what it was before
void restore_constants(torch::jit::Graph& graph, const std::vector<at::Tensor>& used,
                       const std::vector<at::Tensor>& before) {
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

std::vector<at::Tensor> input_tensors(const std::vector<c10::IValue>& inputs) {
  std::vector<at::Tensor> tensors;
  for (const auto& input : inputs)
    for_each_tensor(input, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

std::vector<at::Tensor> flat_tensors(const c10::IValue& result) {
  std::vector<at::Tensor> tensors;
  append_flat(result, tensors);
  return tensors;
}

std::string module_path_of(torch::jit::Node& node) {
  const auto scope = node.scope();
  return !scope || scope->isRoot() || scope->isBlank() ? "" : scope->name().toUnqualString();
}

FlatGraph retrace(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs) {
  const c10::NoGradGuard no_gradients;
  forget_gradients(module);
  const auto used = fresh_copy(module);
  const auto tensors_used = attribute_tensors(used);
  torch::jit::Stack tensors;
  for (const auto& tensor : input_tensors(inputs)) tensors.emplace_back(tensor.clone());
  FlatGraph flat;
  const auto run = [&](torch::jit::Stack traced) {
    OriginRecorder recorder(*torch::jit::tracer::getTracingState()->graph);
    const auto result = Interpreter(used).run(with_tensors(inputs, traced), &recorder);
    torch::jit::Stack outputs;
    for (const auto& tensor : flat_tensors(result)) outputs.emplace_back(tensor);
    return outputs;
  };
  const auto nameless = [](const at::Tensor&) { return std::string(); };
  flat.graph = torch::jit::tracer::trace(tensors, run, nameless, false).first->graph;
  restore_constants(*flat.graph, tensors_used, attribute_tensors(module));
  torch::jit::EliminateDeadCode(flat.graph);
  return flat;
}

} // namespace model_validator::verify
