#include "partition/torchscript/held_objects.h"

#include "connected_graph/torchscript/operator_description.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/api/function_impl.h>

#include <set>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
namespace prim = torch::jit::prim;
using Classes = std::set<const c10::ClassType*>;

/// The class of the object whose attribute a node reads or sets; null if that is a module.
const c10::ClassType* class_of_owner(const Node& node) {
  const bool attribute = node.kind() == prim::GetAttr || node.kind() == prim::SetAttr;
  const auto type = attribute ? node.input(0)->type()->cast<c10::ClassType>() : nullptr;
  return type == nullptr || type->is_module() ? nullptr : type.get();
}

void add_changed(Block& block, Classes& changed) {
  for (Node* node : block.nodes()) {
    const auto* owner = node->kind() == prim::SetAttr ? class_of_owner(*node) : nullptr;
    if (torchscript::writes(*node) && !node->inputs().empty())
      owner = class_of_owner(*node->input(0)->node());
    if (owner != nullptr) changed.insert(owner);
    for (Block* inner : node->blocks()) add_changed(*inner, changed);
  }
}

/// A constructor may set what its object holds.
bool makes(const std::string& method) {
  return method == "__init__" || method == "__setstate__" || method == "__getstate__";
}

void add_changed_by_methods(const c10::ClassType& type, Classes& changed) {
  for (torch::jit::Function* method : type.methods())
    if (method->isGraphFunction() && !makes(method->name()))
      add_changed(*torch::jit::toGraphFunction(*method).graph()->block(), changed);
}

void add_classes(const c10::TypePtr& type, Classes& classes) {
  if (const auto is = type->cast<c10::ClassType>()) {
    if (!is->is_module()) classes.insert(is.get());
    return; // its attributes are checked where they are changed
  }
  for (const c10::TypePtr& inner : type->containedTypes()) add_classes(inner, classes);
}

void add_held(Block& block, Classes& held) {
  for (Node* node : block.nodes()) {
    const bool own =
        node->kind() == prim::GetAttr && node->input() == node->owningGraph()->inputs()[0];
    if (own) add_classes(node->output()->type(), held);
    for (Block* inner : node->blocks()) add_held(*inner, held);
  }
}

} // namespace

void refuse_changing_objects(torch::jit::Graph& graph) {
  Classes held, changed;
  add_held(*graph.block(), held);
  if (held.empty()) return;
  add_changed(*graph.block(), changed);
  for (const c10::ClassType* type : held) add_changed_by_methods(*type, changed);
  for (const c10::ClassType* type : held)
    if (changed.contains(type))
      throw Error(ErrorKind::cannot_flatten, "",
                  "the model keeps and changes an object of `" + type->name()->name() +
                      "`, which subgraphs cannot share",
                  "keep what changes in attributes of the module itself");
}

} // namespace model_validator::partition
