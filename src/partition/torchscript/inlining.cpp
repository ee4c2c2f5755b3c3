#include "partition/torchscript/inlining.h"

#include "connected_graph/torchscript/code/callee.h"
#include "connected_graph/torchscript/file/method.h"
#include "partition/torchscript/node_ops.h"

#include <model_validator/error.h>

#include <unordered_map>

namespace model_validator::partition {
namespace {

using torchscript::NodeMap;
using ModulePointer = c10::intrusive_ptr<c10::ivalue::Object>;

constexpr std::size_t max_depth = 256;

/// A call while its code is copied.
struct Call {
  std::vector<ModulePointer> modules; ///< of its parameters; null for those that are none
  std::optional<NodeMap::Context> context;
  std::size_t depth = 0;
  std::unordered_map<const Value*, Value*> copies; ///< of the values of its code

  void enter(c10::ArrayRef<Value*> written, c10::ArrayRef<Value*> copied) {
    for (std::size_t i = 0; i < copied.size(); ++i) copies[written[i]] = copied[i];
  }
  std::vector<Value*> copies_of(c10::ArrayRef<Value*> written) const {
    std::vector<Value*> found;
    for (const Value* each : written) found.push_back(copies.at(each));
    return found;
  }
};

/// The module that a value of the called code is; null for any other value.
ModulePointer module_of(const Value& value, const Call& call) {
  const Node& node = *value.node();
  if (node.kind() == prim::Param)
    return value.offset() < call.modules.size() ? call.modules[value.offset()] : nullptr;
  if (node.kind() != prim::GetAttr) return nullptr;
  const ModulePointer owner = module_of(*node.input(), call);
  if (owner == nullptr) return nullptr;
  const c10::IValue held = owner->getAttr(node.s(attr::name));
  return held.isModule() ? held.toObject() : nullptr;
}

class Inliner {
public:
  Inliner(Graph& graph, const NodeMap& map, std::size_t max_nodes)
      : graph_(graph), map_(map), nodes_left_(max_nodes) {}

  /// Returns the results of the code.
  std::vector<Value*> copy(Graph& code, c10::ArrayRef<Value*> arguments, Call call) {
    call.enter(code.inputs(), arguments);
    for (Node* node : code.nodes()) {
      count_one();
      torch::jit::GraphFunction* callee = torchscript::callee_of(*node);
      const bool method = node->kind() == prim::CallMethod;
      if (callee != nullptr && (!method || module_of(*node->input(0), call) != nullptr)) {
        const auto given = node->inputs().slice(method ? 0 : 1);
        call.enter(node->outputs(),
                   copy(*callee->graph(), call.copies_of(given), inside(call, *node, given)));
      } else {
        copy_node(*node, call);
      }
    }
    return call.copies_of(code.outputs());
  }

private:
  void count_one() {
    if (nodes_left_-- == 0)
      throw Error(ErrorKind::too_large, "",
                  "the model unfolds into more operations than any sensible network has",
                  "export a part of it");
  }

  Call inside(const Call& call, const Node& node, c10::ArrayRef<Value*> arguments) const {
    if (call.depth >= max_depth)
      throw Error(ErrorKind::too_deep, "",
                  "the model's calls are nested more than " + std::to_string(max_depth) +
                      " levels deep");
    Call inner{{}, std::nullopt, call.depth + 1, {}};
    for (const Value* argument : arguments) inner.modules.push_back(module_of(*argument, call));
    const void* object = node.kind() == prim::CallMethod ? inner.modules.at(0).get() : nullptr;
    if (call.context) inner.context = map_.find(*call.context, node, object);
    return inner;
  }

  void copy_node(Node& node, Call& call) {
    Node& made = *graph_.insertNode(
        graph_.createClone(&node, [&call](Value* value) { return call.copies.at(value); }));
    call.enter(node.outputs(), made.outputs());
    if (call.context && made.kind() != prim::Constant) set_ops(made, map_.at(*call.context, node));
  }

  Graph& graph_;
  const NodeMap& map_;
  std::size_t nodes_left_;
};

} // namespace

FlatModule inline_calls(const torch::jit::Module& module, const NodeMap& map,
                        std::size_t max_nodes) {
  Graph& forward = *torchscript::method_of(module).graph();
  FlatModule flat;
  for (Value* input : forward.inputs()) flat.graph->addInput()->copyMetadata(input);
  for (Value* output :
       Inliner(*flat.graph, map, max_nodes)
           .copy(forward, flat.graph->inputs(), {{module._ivalue()}, NodeMap::root, 0, {}}))
    flat.graph->registerOutput(output);
  read_attributes(flat, module);
  require_flat(*flat.graph);
  simplify(flat);
  return flat;
}

} // namespace model_validator::partition
