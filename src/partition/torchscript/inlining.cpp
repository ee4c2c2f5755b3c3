#include "partition/torchscript/inlining.h"

#include "connected_graph/torchscript/collections.h"
#include "connected_graph/torchscript/fold_conditions.h"
#include "connected_graph/torchscript/operator_description.h"

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
using Values = std::unordered_map<const Value*, Value*>;

constexpr std::size_t max_depth = 256;
constexpr std::int64_t max_rounds = 64; ///< as many as torch unrolls
/// The context of a call that the walk did not see: nothing is known there.
constexpr NodeMap::Context unseen = none;

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

/// Whether a node does nothing but yield its values, so that a known value can take its place.
bool only_yields(const Node& node) {
  return node.blocks().empty() && node.kind() != prim::CallMethod &&
         node.kind() != prim::CallFunction && !node.hasSideEffects() && !torchscript::writes(node);
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

/// A call while its body is copied.
struct Frame {
  NodeMap::Context context = NodeMap::root;
  std::size_t depth = 0;
  Values values; ///< of the callee's graph, in the new one
};

class Inliner {
public:
  Inliner(InlinedGraph& result, const NodeMap& map, std::size_t max_nodes)
      : result_(result), map_(map), nodes_left_(max_nodes) {}

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
      graph().registerOutput(value_of(*output, *graph().block(), frame));
  }

private:
  torch::jit::Graph& graph() { return *result_.graph; }

  void copy(Block& from, Block& to, Frame& frame) {
    for (Node* node : from.nodes()) {
      if (nodes_left_-- == 0)
        throw Error(ErrorKind::too_large, "",
                    "the model unfolds into more operations than any sensible network has",
                    "export a part of it");
      if (!copy_known(*node, to, frame) && !copy_size(*node, to, frame) &&
          !copy_arm(*node, to, frame) && !unroll(*node, to, frame) &&
          !inline_call(*node, to, frame))
        copy_node(*node, to, frame);
    }
  }

  const c10::IValue* known(const Value& value, const Frame& frame) const {
    if (frame.context == unseen) return nullptr;
    const c10::IValue* is = map_.known(frame.context, value);
    return is != nullptr && (is_plain(*is) || is->isIntList()) ? is : nullptr;
  }

  /// Constants are created where they are read; a list, which may be changed, is shared by all
  /// readers.
  bool copy_known(const Node& node, Block& to, Frame& frame) {
    if (node.outputs().empty() || !only_yields(node)) return false;
    for (const Value* output : node.outputs())
      if (known(*output, frame) == nullptr) return false;
    const torch::jit::WithInsertPoint end(&to);
    for (const Value* output : node.outputs())
      if (const c10::IValue* is = known(*output, frame); is->isIntList())
        frame.values[output] = list_of(is->toIntVector());
    return true;
  }

  Value* list_of(const std::vector<std::int64_t>& numbers) {
    std::vector<Value*> elements;
    for (const std::int64_t number : numbers) elements.push_back(graph().insertConstant(number));
    return graph().insertNode(graph().createList(c10::IntType::get(), elements))->output();
  }

  Value* value_of(const Value& value, Block& to, Frame& frame) {
    const c10::IValue* is = known(value, frame);
    if (is == nullptr || is->isIntList()) return frame.values.at(&value);
    const torch::jit::WithInsertPoint end(&to);
    return graph().insertConstant(*is);
  }

  /// A query of a list of known sizes.
  bool copy_size(const Node& node, Block& to, Frame& frame) {
    const auto kind = node.kind();
    if (kind != torch::jit::aten::__getitem__ && kind != torch::jit::aten::len &&
        kind != prim::ListUnpack)
      return false;
    const c10::IValue* list = known(*node.input(0), frame);
    if (list == nullptr || !list->isIntList() || !torchscript::only_read(*node.input(0)))
      return false;
    const auto sizes = list->toIntVector();
    const auto count = static_cast<std::int64_t>(sizes.size());
    const torch::jit::WithInsertPoint end(&to);
    if (kind == torch::jit::aten::len) {
      frame.values[node.output()] = graph().insertConstant(count);
      return true;
    }
    if (kind == prim::ListUnpack) {
      if (sizes.size() != node.outputs().size()) return false;
      for (std::size_t i = 0; i < sizes.size(); ++i)
        frame.values[node.outputs()[i]] = graph().insertConstant(sizes[i]);
      return true;
    }
    const auto index = torch::jit::toIValue(value_of(*node.input(1), to, frame));
    if (!index || index->toInt() >= count || index->toInt() < -count) return false;
    const std::int64_t at = index->toInt() < 0 ? index->toInt() + count : index->toInt();
    frame.values[node.output()] = graph().insertConstant(sizes[static_cast<std::size_t>(at)]);
    return true;
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

  /// A loop whose trip count is known before it begins.
  bool unroll(Node& node, Block& to, Frame& frame) {
    if (node.kind() != prim::Loop) return false;
    Block& body = *node.blocks()[0];
    const auto rounds = torch::jit::toIValue(value_of(*node.input(0), to, frame));
    const auto enters = torch::jit::toIValue(value_of(*node.input(1), to, frame));
    const auto goes_on = torch::jit::toIValue(body.outputs()[0]);
    const bool counted = rounds && rounds->toInt() <= max_rounds && enters && enters->toBool() &&
                         goes_on && goes_on->toBool();
    if (!counted) return false;
    std::vector<Value*> carried;
    for (const Value* first : node.inputs().slice(2))
      carried.push_back(value_of(*first, to, frame));
    for (std::int64_t round = 0; round < rounds->toInt(); ++round) {
      const torch::jit::WithInsertPoint end(&to);
      frame.values[body.inputs()[0]] = graph().insertConstant(round);
      for (std::size_t i = 0; i < carried.size(); ++i)
        frame.values[body.inputs()[i + 1]] = carried[i];
      copy(body, to, frame);
      for (std::size_t i = 0; i < carried.size(); ++i)
        carried[i] = value_of(*body.outputs()[i + 1], to, frame);
    }
    for (std::size_t i = 0; i < carried.size(); ++i) frame.values[node.outputs()[i]] = carried[i];
    return true;
  }

  void copy_node(Node& node, Block& to, Frame& frame) {
    Node* made = graph().createClone(
        &node, [&](Value* value) { return value_of(*value, to, frame); }, /*copy_blocks=*/false);
    to.appendNode(made);
    for (std::size_t i = 0; i < node.outputs().size(); ++i) {
      frame.values[node.outputs()[i]] = made->outputs()[i];
      made->outputs()[i]->setType(without_futures(node.outputs()[i]->type()));
    }
    for (Block* block : node.blocks()) copy_block(*block, *made->addBlock(), frame);
    if (made->kind() == prim::Constant || evaluate(node, *made, to, frame)) return;
    made->i_(origin_attribute(), static_cast<std::int64_t>(result_.origins.size()));
    result_.origins.push_back({frame.context, &node});
    note_object(node, *made, frame);
  }

  /// Replaces a node whose result follows from constants with a constant.
  bool evaluate(const Node& node, Node& made, Block& to, Frame& frame) {
    if (made.outputs().size() != 1 || !only_yields(made)) return false;
    const auto value = torchscript::value_of_constants(made);
    if (!value || !is_plain(*value)) return false;
    const torch::jit::WithInsertPoint end(&to);
    frame.values[node.output()] = graph().insertConstant(*value);
    made.destroy();
    return true;
  }

  void copy_block(Block& from, Block& to, Frame& frame) {
    for (Value* input : from.inputs()) {
      Value* parameter = to.addInput();
      parameter->copyMetadata(input);
      parameter->setType(without_futures(input->type()));
      frame.values[input] = parameter;
    }
    copy(from, to, frame);
    for (const Value* output : from.outputs()) to.registerOutput(value_of(*output, to, frame));
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
    const c10::IValue* is =
        frame.context == unseen ? nullptr : map_.known(frame.context, *node.output());
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
    inner.context =
        frame.context == unseen ? unseen : map_.find(frame.context, node, object).value_or(unseen);
    for (std::size_t i = 0; i < callee.inputs().size(); ++i)
      inner.values[callee.inputs()[i]] = value_of(*node.inputs()[i + first_argument], to, frame);
    copy(*callee.block(), to, inner);
    for (std::size_t i = 0; i < node.outputs().size(); ++i)
      frame.values[node.outputs()[i]] = value_of(*callee.outputs()[i], to, inner);
  }

  InlinedGraph& result_;
  const NodeMap& map_;
  std::size_t nodes_left_;
};

} // namespace

bool is_plain(const c10::IValue& value) {
  return value.isNone() || value.isInt() || value.isDouble() || value.isBool() ||
         value.isString() || value.isDevice() || value.isComplexDouble();
}

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
