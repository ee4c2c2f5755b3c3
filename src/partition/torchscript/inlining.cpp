#include "partition/torchscript/inlining.h"

#include "partition/torchscript/inlined_values.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
using torchscript::NodeMap;
namespace attr = torch::jit::attr;
namespace prim = torch::jit::prim;

constexpr std::size_t max_depth = 256;
constexpr std::int64_t max_rounds = 64; ///< as many as torch unrolls

torch::jit::GraphFunction* graph_function(torch::jit::Function* function) {
  return function != nullptr && function->isGraphFunction()
             ? &torch::jit::toGraphFunction(*function)
             : nullptr;
}

torch::jit::Graph& graph_of(torch::jit::GraphFunction& function) {
  function.ensure_defined();
  return *function.graph();
}

/// The attribute that carries a node's origin through passes over the graph.
c10::Symbol origin_attribute() {
  static const auto symbol = c10::Symbol::attr("model_validator_origin");
  return symbol;
}

/// The type of what a future will hold, instead of the future's, in collections as well.
c10::TypePtr without_futures(const c10::TypePtr& type) {
  if (const auto future = type->cast<c10::FutureType>())
    return without_futures(future->getElementType());
  if (type->kind() == c10::TypeKind::ClassType || type->containedTypes().empty()) return type;
  std::vector<c10::TypePtr> parts;
  for (const c10::TypePtr& part : type->containedTypes()) parts.push_back(without_futures(part));
  return type->containedTypes() == parts ? type : type->withContained(std::move(parts));
}

class Inliner {
public:
  Inliner(InlinedGraph& result, const NodeMap& map, std::size_t max_nodes)
      : result_(result), map_(map), values_(*result.graph, map), nodes_left_(max_nodes) {}

  void run(const torch::jit::Module& module, torch::jit::Graph& forward, const FixedInputs& fixed) {
    Frame frame;
    for (Value* input : forward.inputs()) {
      Value* parameter = graph().addInput();
      parameter->copyMetadata(input);
      const auto value = fixed.find(input->offset());
      frame.values[input] =
          value == fixed.end() ? parameter : graph().insertConstant(value->second);
    }
    result_.objects[graph().inputs()[0]] = {module._ivalue(), ""};
    copy(*forward.block(), *graph().block(), frame);
    for (const Value* output : forward.outputs())
      graph().registerOutput(values_.of(*output, *graph().block(), frame));
  }

private:
  torch::jit::Graph& graph() { return *result_.graph; }

  void copy(Block& from, Block& to, Frame& frame) {
    for (Node* node : from.nodes()) {
      if (nodes_left_-- == 0)
        throw Error(ErrorKind::too_large, "",
                    "the model unfolds into more operations than any sensible network has",
                    "export a part of it");
      if (!values_.fold(*node, to, frame) && !copy_arm(*node, to, frame) &&
          !unroll(*node, to, frame) && !inline_call(*node, to, frame))
        copy_node(*node, to, frame);
    }
  }

  /// The branch of an `if` that always runs, if that is known.
  bool copy_arm(Node& node, Block& to, Frame& frame) {
    if (node.kind() != prim::If) return false;
    const auto condition = torch::jit::toIValue(values_.of(*node.input(), to, frame));
    if (!condition || !condition->isBool()) return false;
    Block& arm = *node.blocks()[condition->toBool() ? 0 : 1];
    copy(arm, to, frame);
    for (std::size_t i = 0; i < node.outputs().size(); ++i)
      frame.values[node.outputs()[i]] = values_.of(*arm.outputs()[i], to, frame);
    return true;
  }

  /// A loop whose trip count is known before it begins.
  bool unroll(Node& node, Block& to, Frame& frame) {
    if (node.kind() != prim::Loop) return false;
    Block& body = *node.blocks()[0];
    const auto rounds = torch::jit::toIValue(values_.of(*node.input(0), to, frame));
    const auto enters = torch::jit::toIValue(values_.of(*node.input(1), to, frame));
    const auto goes_on = torch::jit::toIValue(body.outputs()[0]);
    const bool counted = rounds && rounds->toInt() <= max_rounds && enters && enters->toBool() &&
                         goes_on && goes_on->toBool();
    if (!counted) return false;
    std::vector<Value*> carried;
    for (const Value* first : node.inputs().slice(2))
      carried.push_back(values_.of(*first, to, frame));
    for (std::int64_t round = 0; round < rounds->toInt(); ++round) {
      const torch::jit::WithInsertPoint end(&to);
      frame.values[body.inputs()[0]] = graph().insertConstant(round);
      for (std::size_t i = 0; i < carried.size(); ++i)
        frame.values[body.inputs()[i + 1]] = carried[i];
      copy(body, to, frame);
      for (std::size_t i = 0; i < carried.size(); ++i)
        carried[i] = values_.of(*body.outputs()[i + 1], to, frame);
    }
    for (std::size_t i = 0; i < carried.size(); ++i) frame.values[node.outputs()[i]] = carried[i];
    return true;
  }

  void copy_node(Node& node, Block& to, Frame& frame) {
    Node* made = graph().createClone(
        &node, [&](Value* value) { return values_.of(*value, to, frame); }, /*copy_blocks=*/false);
    to.appendNode(made);
    for (std::size_t i = 0; i < node.outputs().size(); ++i) {
      frame.values[node.outputs()[i]] = made->outputs()[i];
      made->outputs()[i]->setType(without_futures(node.outputs()[i]->type()));
    }
    for (Block* block : node.blocks()) copy_block(*block, *made->addBlock(), frame);
    if (made->kind() == prim::Constant || values_.evaluate(node, *made, to, frame)) return;
    made->i_(origin_attribute(), static_cast<std::int64_t>(result_.origins.size()));
    result_.origins.push_back({frame.context, &node});
    note_object(node, *made, frame);
  }

  void copy_block(Block& from, Block& to, Frame& frame) {
    for (Value* input : from.inputs()) {
      Value* parameter = to.addInput();
      parameter->copyMetadata(input);
      parameter->setType(without_futures(input->type()));
      frame.values[input] = parameter;
    }
    copy(from, to, frame);
    for (const Value* output : from.outputs()) to.registerOutput(values_.of(*output, to, frame));
  }

  /// Records a module that is an attribute of a known one.
  void note_object(const Node& node, Node& made, const Frame& frame) {
    if (node.outputs().size() != 1) return;
    if (node.kind() == prim::GetAttr) {
      const auto found = result_.objects.find(made.input());
      if (found == result_.objects.end()) return;
      const KnownObject owner = found->second;
      const std::string& name = node.s(attr::name);
      const c10::IValue value = owner.object->getAttr(name);
      if (!value.isObject() || !value.toObjectRef().type()->is_module()) return;
      made.output()->setType(value.toObjectRef().type());
      result_.objects[made.output()] = {value.toObject(),
                                        owner.path.empty() ? name : owner.path + "." + name};
      return;
    }
    const c10::IValue* is = frame.context ? map_.known(*frame.context, *node.output()) : nullptr;
    if (is != nullptr && is->isObject() && is->toObjectRef().type()->is_module())
      result_.objects[made.output()] = {is->toObject(), ""};
  }

  bool inline_call(const Node& node, Block& to, Frame& frame) {
    switch (node.kind()) {
    case prim::CallMethod: return inline_method(node, to, frame);
    case prim::CallFunction: return inline_function(node, to, frame);
    case prim::fork: return inline_task(node, to, frame);
    case torch::jit::aten::wait:
      frame.values[node.output()] = frame.values.at(node.input());
      return true;
    default: return false;
    }
  }

  bool inline_function(const Node& node, Block& to, Frame& frame) {
    auto* function = graph_function(node.input(0)->type()->expect<c10::FunctionType>()->function());
    if (function == nullptr) return false;
    copy_callee(node, graph_of(*function), 1, nullptr, to, frame);
    return true;
  }

  /// A task runs where it is forked, and what it returns takes the place of its future.
  bool inline_task(const Node& node, Block& to, Frame& frame) {
    copy_callee(node, *node.g(attr::Subgraph), 0, nullptr, to, frame);
    return true;
  }

  bool inline_method(const Node& node, Block& to, Frame& frame) {
    const auto self = result_.objects.find(frame.values.at(node.input(0)));
    const bool known = self != result_.objects.end();
    const auto object = known ? self->second.object : nullptr;
    const auto type = known ? object->type() : node.input(0)->type()->cast<c10::ClassType>();
    // Which module it is must be known; of any other class there are no subclasses.
    if (type == nullptr || (type->is_module() && !known)) return false;
    auto* method = graph_function(type->findMethod(node.s(attr::name)));
    if (method == nullptr) return false;
    copy_callee(node, graph_of(*method), 0, object.get(), to, frame);
    return true;
  }

  void copy_callee(const Node& node, torch::jit::Graph& callee, std::size_t first_argument,
                   const void* object, Block& to, Frame& frame) {
    if (frame.depth >= max_depth)
      throw Error(ErrorKind::too_deep, "",
                  "the model's calls are nested more than " + std::to_string(max_depth) +
                      " levels deep");
    Frame inner;
    inner.depth = frame.depth + 1;
    inner.context = frame.context ? map_.find(*frame.context, node, object) : std::nullopt;
    for (std::size_t i = 0; i < callee.inputs().size(); ++i)
      inner.values[callee.inputs()[i]] = values_.of(*node.inputs()[i + first_argument], to, frame);
    copy(*callee.block(), to, inner);
    for (std::size_t i = 0; i < node.outputs().size(); ++i)
      frame.values[node.outputs()[i]] = values_.of(*callee.outputs()[i], to, inner);
  }

  InlinedGraph& result_;
  const NodeMap& map_;
  InlinedValues values_;
  std::size_t nodes_left_;
};

} // namespace

NodeOrigins take_origins(const InlinedGraph& inlined) {
  NodeOrigins origins;
  const auto visit = [&](Block& block, const auto& again) -> void {
    for (Node* node : block.nodes()) {
      if (node->hasAttribute(origin_attribute())) {
        origins[node] = inlined.origins.at(static_cast<std::size_t>(node->i(origin_attribute())));
        node->removeAttribute(origin_attribute());
      }
      for (Block* inner : node->blocks()) again(*inner, again);
    }
  };
  visit(*inlined.graph->block(), visit);
  return origins;
}

InlinedGraph inline_calls(const torch::jit::Module& module, const NodeMap& map,
                          const FixedInputs& fixed, std::size_t max_nodes) {
  const auto method = module.find_method("forward");
  if (!method)
    throw Error(ErrorKind::no_forward, "", "the module has no method `forward`",
                "export the module whose `forward` is to be compiled");
  InlinedGraph result;
  result.graph = std::make_shared<torch::jit::Graph>();
  Inliner(result, map, max_nodes).run(module, *method->graph(), fixed);
  return result;
}

} // namespace model_validator::partition
