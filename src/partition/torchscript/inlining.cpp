#include "partition/torchscript/inlining.h"

#include "connected_graph/torchscript/code/callee.h"
#include "connected_graph/torchscript/file/method.h"
#include "partition/torchscript/flat_attributes.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <unordered_map>

namespace model_validator::partition {
namespace {

using torchscript::NodeMap;

constexpr std::size_t max_depth = 256;

/// A module of the hierarchy.
struct KnownModule {
  c10::intrusive_ptr<c10::ivalue::Object> object;
  std::string path;
};

/// A call while its body is copied into the flat graph.
struct Frame {
  std::optional<NodeMap::Context> context = NodeMap::root;
  std::size_t depth = 0;
  /// What each value of the callee's is: one of the flat graph, or a module.
  std::unordered_map<const Value*, Value*> values;
  std::unordered_map<const Value*, KnownModule> modules;

  Value* operator[](const Value* value) const {
    if (const auto found = values.find(value); found != values.end()) return found->second;
    throw Error(ErrorKind::cannot_flatten, "", "the model passes modules on while it runs");
  }
  const KnownModule* module(const Value* value) const {
    const auto found = modules.find(value);
    return found == modules.end() ? nullptr : &found->second;
  }
};

/// Numbers and words, which nothing can change in place.
bool is_plain(const c10::IValue& value) {
  return value.isNone() || value.isScalar() || value.isString() || value.isDevice();
}

class Inliner {
public:
  Inliner(FlatModule& flat, const NodeMap& map, std::size_t max_nodes, NodeOrigins& origins)
      : graph_(*flat.graph), map_(map), attributes_(flat.module, graph_), origins_(origins),
        nodes_left_(max_nodes) {}

  void run(const torch::jit::Module& module, Graph& forward) {
    Frame frame;
    graph_.addInput("self");
    frame.modules[forward.inputs()[0]] = {module._ivalue(), ""};
    for (Value* input : forward.inputs().slice(1))
      frame.values[input] = graph_.addInput()->copyMetadata(input);
    copy(*forward.block(), *graph_.block(), frame);
    for (const Value* output : forward.outputs()) graph_.registerOutput(frame[output]);
  }

private:
  void copy(Block& from, Block& to, Frame& frame) {
    for (Node* node : from.nodes()) {
      if (nodes_left_-- == 0)
        throw Error(ErrorKind::too_large, "",
                    "the model unfolds into more operations than any sensible network has",
                    "export a part of it");
      if (!inline_call(*node, to, frame) && !read_attribute(*node, to, frame))
        copy_node(*node, to, frame);
    }
  }

  /// What a module has and nothing sets: that is checked once all code is there.
  bool read_attribute(const Node& node, Block& to, Frame& frame) {
    const KnownModule* owner = node.kind() == prim::GetAttr ? frame.module(node.input()) : nullptr;
    if (owner == nullptr) return false;
    const std::string& name = node.s(attr::name);
    const std::string path = owner->path.empty() ? name : owner->path + "." + name;
    const c10::IValue value = owner->object->getAttr(name);
    const torch::jit::WithInsertPoint end(&to);
    if (value.isModule())
      frame.modules[node.output()] = {value.toObject(), path};
    else if (is_plain(value))
      frame.values[node.output()] = graph_.insertConstant(value);
    else
      frame.values[node.output()] = attributes_.read(path, value, node.output()->type());
    return true;
  }

  void copy_node(Node& node, Block& to, Frame& frame) {
    Node* made = graph_.createClone(
        &node, [&](Value* value) { return frame[value]; }, /*copy_blocks=*/false);
    to.appendNode(made);
    for (std::size_t i = 0; i < node.outputs().size(); ++i)
      frame.values[node.outputs()[i]] = made->outputs()[i];
    for (Block* block : node.blocks()) copy_block(*block, *made->addBlock(), frame);
    if (made->kind() != prim::Constant) origins_.note(*made, frame.context, node, map_);
  }

  void copy_block(Block& from, Block& to, Frame& frame) {
    for (Value* input : from.inputs()) frame.values[input] = to.addInput()->copyMetadata(input);
    copy(from, to, frame);
    for (const Value* output : from.outputs()) to.registerOutput(frame[output]);
  }

  bool inline_call(const Node& node, Block& to, Frame& frame) {
    torch::jit::GraphFunction* callee = torchscript::callee_of(node);
    const bool method = node.kind() == prim::CallMethod;
    const KnownModule* self = method ? frame.module(node.input(0)) : nullptr;
    if (callee == nullptr || (method && self == nullptr)) return false;
    copy_callee(node, *callee->graph(), method ? self->object.get() : nullptr, to, frame);
    return true;
  }

  void copy_callee(const Node& node, Graph& callee, const void* object, Block& to, Frame& frame) {
    if (frame.depth >= max_depth)
      throw Error(ErrorKind::too_deep, "",
                  "the model's calls are nested more than " + std::to_string(max_depth) +
                      " levels deep");
    Frame inner;
    inner.depth = frame.depth + 1;
    inner.context = frame.context ? map_.find(*frame.context, node, object) : std::nullopt;
    const auto arguments = node.inputs().slice(object == nullptr ? 1 : 0);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      hand_over(*arguments[i], frame, *callee.inputs()[i], inner);
    copy(*callee.block(), to, inner);
    for (std::size_t i = 0; i < node.outputs().size(); ++i)
      hand_over(*callee.outputs()[i], inner, *node.outputs()[i], frame);
  }

  static void hand_over(const Value& from, const Frame& of, const Value& to, Frame& taker) {
    if (const KnownModule* module = of.module(&from))
      taker.modules[&to] = *module;
    else
      taker.values[&to] = of[&from];
  }

  Graph& graph_;
  const NodeMap& map_;
  FlatAttributes attributes_;
  NodeOrigins& origins_;
  std::size_t nodes_left_;
};

bool raises(const Block& block) {
  return std::ranges::any_of(block.nodes(),
                             [](const Node* node) { return node->kind() == prim::RaiseException; });
}

/// In place of the node.
void inline_arm(Node& node, Block& arm) {
  for (auto at = arm.nodes().begin(); at != arm.nodes().end();) {
    Node* inner = *at++; // before it has other neighbours
    inner->moveBefore(&node);
  }
  for (std::size_t i = 0; i < node.outputs().size(); ++i)
    node.outputs()[i]->replaceAllUsesWith(arm.outputs()[i]);
  node.destroy();
}

/// An `if` of which one arm raises is a check.
void drop_checks(Block& block) {
  for (auto at = block.nodes().begin(); at != block.nodes().end();) {
    Node& node = **at++;
    for (Block* inner : node.blocks()) drop_checks(*inner);
    if (node.kind() != prim::If) continue;
    const bool first = raises(*node.blocks()[0]), second = raises(*node.blocks()[1]);
    if (first != second) inline_arm(node, *node.blocks()[first ? 1 : 0]);
  }
}

} // namespace

FlatModule inline_calls(const torch::jit::Module& module, const NodeMap& map, std::size_t max_nodes,
                        NodeOrigins& origins) {
  FlatModule flat;
  Inliner(flat, map, max_nodes, origins).run(module, *torchscript::method_of(module).graph());
  drop_checks(*flat.graph->block());
  simplify(flat);
  require_flat(*flat.graph);
  return flat;
}

} // namespace model_validator::partition
