#include "verify/run/unwritten_parameters.h"

#include "connected_graph/torchscript/ir/operator_effects.h"

#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace model_validator::verify {
namespace {

using torch::jit::Node;
namespace prim = torch::jit::prim;

/// Looks for the attributes whose memory a value may share.
class Origins {
public:
  explicit Origins(const torch::jit::Module& module) : root_(module._ivalue()) {}

  void add(const torch::jit::Value& value) {
    if (!seen_.insert(&value).second) return;
    const Node& node = *value.node();
    if (node.kind() == prim::GetAttr) return add_attribute(value);
    if (node.kind() == prim::Param) return add_carried(value);
    for (const torch::jit::Block* block : node.blocks())
      for (const torch::jit::Value* result : block->outputs()) add(*result);
    if (!node.blocks().empty() || passes_on(node))
      for (const torch::jit::Value* input : node.inputs()) add(*input);
  }

  std::vector<at::Tensor> tensors;
  bool all_known = true;

private:
  /// The body of a loop gets what its last iteration left.
  void add_carried(const torch::jit::Value& value) {
    const Node* loop = value.node()->owningBlock()->owningNode();
    if (!loop) return; // an input of the model
    for (const torch::jit::Value* input : loop->inputs()) add(*input);
    for (const torch::jit::Value* result : value.node()->owningBlock()->outputs()) add(*result);
  }

  /// Whether its outputs may be one of its inputs, lie in it, or hold it.
  static bool passes_on(const Node& node) {
    const c10::FunctionSchema* schema = node.maybeSchema();
    return schema == nullptr || torchscript::builds(node) || torchscript::picks(node) ||
           node.kind() == c10::aten::append || torchscript::returns_memory(*schema);
  }

  void add_attribute(const torch::jit::Value& value) {
    const auto held = held_by(value);
    if (!held) {
      all_known = all_known && value.type()->kind() != c10::TypeKind::TensorType;
      return;
    }
    if (held->isTensor() && held->toTensor().defined()) tensors.push_back(held->toTensor());
  }

  /// The value of an attribute; nullopt where the object is not known.
  std::optional<c10::IValue> held_by(const torch::jit::Value& value) const {
    const Node& node = *value.node();
    if (node.kind() == prim::Param && !node.owningBlock()->owningNode() && value.offset() == 0)
      return c10::IValue(root_);
    if (node.kind() != prim::GetAttr) return std::nullopt;
    const auto object = held_by(*node.input());
    if (!object || !object->isObject()) return std::nullopt;
    const auto slot = object->toObjectRef().type()->findAttributeSlot(node.s(c10::attr::name));
    return slot ? std::optional(object->toObjectRef().getSlot(*slot)) : std::nullopt;
  }

  c10::intrusive_ptr<c10::ivalue::Object> root_;
  std::unordered_set<const torch::jit::Value*> seen_;
};

void look_through(const torch::jit::Block& block, Origins& origins) {
  for (const Node* node : block.nodes()) {
    for (std::size_t i = 0; i < node->inputs().size(); ++i)
      if (torchscript::writes(*node, i)) origins.add(*node->input(i));
    for (const torch::jit::Block* inner : node->blocks()) look_through(*inner, origins);
  }
}

} // namespace

std::vector<at::Tensor> unwritten_parameters(const torch::jit::Module& module) {
  Origins origins(module);
  if (const auto method = module.find_method("forward")) {
    const auto graph = method->graph()->copy();
    torch::jit::Inline(*graph);
    look_through(*graph->block(), origins);
  }
  std::vector<at::Tensor> unwritten;
  if (!origins.all_known) return unwritten;
  for (const auto& parameter : module.parameters())
    if (std::none_of(origins.tensors.begin(), origins.tensors.end(),
                     [&](const at::Tensor& each) { return each.is_same(parameter); }))
      unwritten.push_back(parameter);
  return unwritten;
}

} // namespace model_validator::verify
