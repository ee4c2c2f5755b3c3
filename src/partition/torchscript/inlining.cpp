#include "partition/torchscript/inlining.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/api/function_impl.h>

#include <charconv>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
namespace prim = torch::jit::prim;

constexpr std::size_t deepest_call = 256;

torch::jit::GraphFunction* graph_function(torch::jit::Function* function) {
  return function != nullptr && function->isGraphFunction()
             ? &torch::jit::toGraphFunction(*function)
             : nullptr;
}

class Inliner {
public:
  Inliner(InlinedGraph& result, std::size_t most_nodes)
      : result_(result), nodes_left_(most_nodes) {}

  void run() { walk(*result_.graph->block(), 0); }

private:
  void walk(Block& block, std::size_t call) {
    walk(block.param_node()->next(), block.return_node(), call);
  }

  void walk(Node* node, const Node* end, std::size_t call) {
    while (node != end) {
      if (nodes_left_-- == 0)
        throw Error("too-large", "",
                    "the model unfolds into more operations than any sensible network",
                    "export a part of it");
      Node* const before = node->prev();
      if (inline_call(*node, call)) {
        node = before->next();
        continue;
      }
      note(*node, call);
      for (Block* block : node->blocks()) walk(*block, call_number(*node, call));
      node = node->next();
    }
  }

  /// What was inlined stands in the same block: its own call is the one it was marked with.
  std::size_t call_number(const Node& node, std::size_t around) const {
    const std::size_t own = result_.call_of(node);
    return own == 0 ? around : own;
  }

  void note(Node& node, std::size_t around) {
    if (result_.call_of(node) == 0 && around != 0) mark(node, around);
    if (node.kind() != prim::GetAttr) return;
    const auto found = result_.objects.find(node.input());
    if (found == result_.objects.end()) return;
    const KnownObject owner = found->second;
    const std::string& name = node.s(torch::jit::attr::name);
    const c10::IValue value = owner.object->getAttr(name);
    if (!value.isObject() || !value.toObjectRef().type()->is_module()) return;
    node.output()->setType(value.toObjectRef().type());
    result_.objects[node.output()] = {value.toObject(),
                                      owner.path.empty() ? name : owner.path + "." + name};
  }

  bool inline_call(Node& node, std::size_t around) {
    if (node.kind() == prim::CallMethod) {
      const auto object = result_.objects.find(node.input(0));
      if (object == result_.objects.end()) return false;
      auto* method =
          graph_function(object->second.object->type()->findMethod(node.s(torch::jit::attr::name)));
      if (method == nullptr) return false;
      replace(node, *method, object->second.path, true, around);
      return true;
    }
    if (node.kind() != prim::CallFunction) return false;
    auto* function = graph_function(node.input(0)->type()->expect<c10::FunctionType>()->function());
    if (function == nullptr) return false;
    node.removeInput(0);
    replace(node, *function, result_.calls[call_number(node, around)].module, false, around);
    return true;
  }

  void replace(Node& node, torch::jit::GraphFunction& callee, std::string module, bool is_method,
               std::size_t around) {
    const std::size_t caller = call_number(node, around);
    if (depth_of(caller) >= deepest_call)
      throw Error("too-deep", "",
                  "the model's calls are nested more than " + std::to_string(deepest_call) +
                      " levels deep");
    result_.calls.push_back({std::move(module), node.sourceRange(), is_method, caller});
    Node* const before = node.prev();
    const Node* const after = node.next();
    callee.ensure_defined();
    torch::jit::inlineCallTo(&node, &callee, callee.graph().get());
    for (Node* fresh = before->next(); fresh != after; fresh = fresh->next())
      mark(*fresh, result_.calls.size() - 1);
  }

  void mark(Node& node, std::size_t call) {
    const auto root = c10::make_intrusive<torch::jit::Scope>();
    node.setScope(root->push(c10::Symbol::scope(std::to_string(call))));
    for (Block* block : node.blocks())
      for (Node* inner : block->nodes()) mark(*inner, call);
  }

  std::size_t depth_of(std::size_t call) const {
    std::size_t depth = 0;
    for (; call != 0; call = result_.calls[call].caller) ++depth;
    return depth;
  }

  InlinedGraph& result_;
  std::size_t nodes_left_;
};

} // namespace

std::size_t InlinedGraph::call_of(const torch::jit::Node& node) const {
  const auto scope = const_cast<torch::jit::Node&>(node).scope(); // it only reads
  if (!scope || scope->isRoot() || scope->isBlank()) return 0;
  const std::string name = scope->name().toUnqualString();
  std::size_t call = 0;
  std::from_chars(name.data(), name.data() + name.size(), call);
  return call < calls.size() ? call : 0;
}

InlinedGraph inline_calls(const torch::jit::Module& module, std::size_t most_nodes) {
  const auto method = module.find_method("forward");
  if (!method)
    throw Error("no-forward", "", "the module has no method `forward`",
                "export the module whose `forward` is to be compiled");
  InlinedGraph result;
  result.graph = method->graph()->copy();
  for (torch::jit::Node* node : result.graph->nodes()) node->setScope({});
  result.calls.push_back({"", {}, true, 0});
  result.objects[result.graph->inputs()[0]] = {module._ivalue(), ""};
  Inliner(result, most_nodes).run();
  return result;
}

} // namespace model_validator::partition
