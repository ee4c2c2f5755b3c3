#include "partition/torchscript/inlining.h"

#include "connected_graph/torchscript/file/method.h"
#include "partition/torchscript/flat_attributes.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>

#include <unordered_map>

namespace model_validator::partition {
namespace {

using torchscript::NodeMap;

constexpr std::size_t max_depth = 256;
constexpr std::size_t root = 1; ///< the model among the inputs, after the module in its place

/// A call while its body is copied into the flat graph.
struct Frame {
  std::optional<NodeMap::Context> context = NodeMap::root;
  std::size_t depth = 0;
  /// What stands in the flat graph for each value of the callee's.
  std::unordered_map<const Value*, Value*> values;
};

/// A module of the hierarchy.
struct KnownObject {
  c10::intrusive_ptr<c10::ivalue::Object> object;
  std::string path;
};

/// Numbers and words, which nothing can change in place.
bool is_plain(const c10::IValue& value) {
  return value.isNone() || value.isInt() || value.isDouble() || value.isBool() ||
         value.isString() || value.isDevice() || value.isComplexDouble();
}

bool is_module(const c10::IValue& value) {
  return value.isObject() && value.toObjectRef().type()->is_module();
}

class Inliner {
public:
  Inliner(FlatModule& flat, const NodeMap& map, std::size_t max_nodes, NodeOrigins& origins)
      : graph_(*flat.graph), map_(map), attributes_(flat.module, graph_), origins_(origins),
        nodes_left_(max_nodes) {}

  void run(const torch::jit::Module& module, Graph& forward) {
    Frame frame;
    graph_.addInput("self");
    for (Value* input : forward.inputs())
      frame.values[input] = graph_.addInput()->copyMetadata(input);
    objects_[graph_.inputs()[root]] = {module._ivalue(), ""};
    copy(*forward.block(), *graph_.block(), frame);
    for (const Value* output : forward.outputs())
      graph_.registerOutput(value_of(*output, *graph_.block(), frame));
  }

private:
  const c10::IValue* known(const Value& value, const Frame& frame) const {
    return frame.context ? map_.known(*frame.context, value) : nullptr;
  }

  Value* value_of(const Value& value, Block& to, Frame& frame) {
    const c10::IValue* is = known(value, frame);
    if (is == nullptr || !is_plain(*is)) return frame.values.at(&value);
    const torch::jit::WithInsertPoint end(&to);
    return graph_.insertConstant(*is);
  }

  void copy(Block& from, Block& to, Frame& frame) {
    for (Node* node : from.nodes()) {
      if (nodes_left_-- == 0)
        throw Error(ErrorKind::too_large, "",
                    "the model unfolds into more operations than any sensible network has",
                    "export a part of it");
      if (!copy_arm(*node, to, frame) && !inline_call(*node, to, frame) &&
          !read_attribute(*node, to, frame))
        copy_node(*node, to, frame);
    }
  }

  /// The branch of an `if` that always runs, if that is known.
  bool copy_arm(Node& node, Block& to, Frame& frame) {
    if (node.kind() != prim::If) return false;
    const auto condition = torch::jit::toIValue(value_of(*node.input(), to, frame));
    if (!condition || !condition->isBool()) return false;
    Block& arm = *node.blocks()[condition->toBool() ? 0 : 1];
    copy(arm, to, frame);
    for (std::size_t i = 0; i < node.outputs().size(); ++i)
      frame.values[node.outputs()[i]] = value_of(*arm.outputs()[i], to, frame);
    return true;
  }

  /// What a known module has and nothing sets: that is checked once all code is there.
  bool read_attribute(const Node& node, Block& to, Frame& frame) {
    if (node.kind() != prim::GetAttr) return false;
    const auto owner = objects_.find(frame.values.at(node.input()));
    if (owner == objects_.end()) return false;
    const std::string& name = node.s(attr::name);
    const std::string& at = owner->second.path;
    const c10::IValue value = owner->second.object->getAttr(name);
    if (is_module(value)) return false;
    const torch::jit::WithInsertPoint end(&to);
    frame.values[node.output()] =
        is_plain(value)
            ? graph_.insertConstant(value)
            : attributes_.read(at.empty() ? name : at + "." + name, value, node.output()->type());
    return true;
  }

  void copy_node(Node& node, Block& to, Frame& frame) {
    Node* made = graph_.createClone(
        &node, [&](Value* value) { return value_of(*value, to, frame); }, /*copy_blocks=*/false);
    to.appendNode(made);
    for (std::size_t i = 0; i < node.outputs().size(); ++i)
      frame.values[node.outputs()[i]] = made->outputs()[i];
    for (Block* block : node.blocks()) copy_block(*block, *made->addBlock(), frame);
    if (made->kind() == prim::Constant) return;
    origins_.note(*made, {frame.context, &node}, map_);
    note_object(node, *made, frame);
  }

  void copy_block(Block& from, Block& to, Frame& frame) {
    for (Value* input : from.inputs()) frame.values[input] = to.addInput()->copyMetadata(input);
    copy(from, to, frame);
    for (const Value* output : from.outputs()) to.registerOutput(value_of(*output, to, frame));
  }

  /// Records a module that is an attribute of a known one, or that the walk knows.
  void note_object(const Node& node, Node& made, const Frame& frame) {
    if (node.outputs().size() != 1) return;
    const auto owner = node.kind() == prim::GetAttr ? objects_.find(made.input()) : objects_.end();
    if (owner != objects_.end()) {
      const KnownObject of = owner->second;
      const std::string& name = node.s(attr::name);
      objects_[made.output()] = {of.object->getAttr(name).toObject(),
                                 of.path.empty() ? name : of.path + "." + name};
    } else if (const c10::IValue* is = known(*node.output(), frame);
               is != nullptr && is_module(*is)) {
      objects_[made.output()] = {is->toObject(), ""};
    }
  }

  bool inline_call(const Node& node, Block& to, Frame& frame) {
    torch::jit::Function* function = nullptr;
    const c10::ivalue::Object* object = nullptr;
    const bool method = node.kind() == prim::CallMethod;
    if (method) {
      const auto self = objects_.find(frame.values.at(node.input(0)));
      if (self == objects_.end()) return false;
      object = self->second.object.get();
      function = object->type()->findMethod(node.s(attr::name));
    } else if (node.kind() == prim::CallFunction) {
      function = node.input(0)->type()->expect<c10::FunctionType>()->function();
    }
    if (function == nullptr || !function->isGraphFunction()) return false;
    copy_callee(node, *torch::jit::toGraphFunction(*function).graph(), method ? 0 : 1, object, to,
                frame);
    return true;
  }

  void copy_callee(const Node& node, Graph& callee, std::size_t first_argument, const void* object,
                   Block& to, Frame& frame) {
    if (frame.depth >= max_depth)
      throw Error(ErrorKind::too_deep, "",
                  "the model's calls are nested more than " + std::to_string(max_depth) +
                      " levels deep");
    Frame inner;
    inner.depth = frame.depth + 1;
    inner.context = frame.context ? map_.find(*frame.context, node, object) : std::nullopt;
    for (std::size_t i = 0; i < callee.inputs().size(); ++i)
      inner.values[callee.inputs()[i]] = value_of(*node.inputs()[i + first_argument], to, frame);
    copy(*callee.block(), to, inner);
    for (std::size_t i = 0; i < node.outputs().size(); ++i)
      frame.values[node.outputs()[i]] = value_of(*callee.outputs()[i], to, inner);
  }

  Graph& graph_;
  const NodeMap& map_;
  FlatAttributes attributes_;
  NodeOrigins& origins_;
  std::size_t nodes_left_;
  std::unordered_map<const Value*, KnownObject> objects_;
};

} // namespace

FlatModule inline_calls(const torch::jit::Module& module, const NodeMap& map, std::size_t max_nodes,
                        NodeOrigins& origins) {
  FlatModule flat;
  Inliner(flat, map, max_nodes, origins).run(module, *torchscript::method_of(module).graph());
  simplify(flat);
  if (!flat.graph->inputs()[root]->hasUses()) flat.graph->eraseInput(root);
  return flat;
}

} // namespace model_validator::partition
