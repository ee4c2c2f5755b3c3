#include "partition/torchscript/forward_attributes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
namespace attr = torch::jit::attr;
namespace prim = torch::jit::prim;

bool is_of_self(const Node& node, c10::Symbol kind) {
  return node.kind() == kind && node.input(0) == node.owningGraph()->inputs()[0];
}

/// Whether every use of an object is one of its attributes: it is in no list, and no block yields
/// it.
bool has_one_name(const Value& object) {
  return std::all_of(object.uses().begin(), object.uses().end(), [](const torch::jit::Use& use) {
    const auto kind = use.user->kind();
    return use.offset == 0 && (kind == prim::SetAttr || kind == prim::GetAttr);
  });
}

/// The objects that the model makes for itself.
void collect_made(Block& block, std::vector<Node*>& made) {
  for (Node* node : block.nodes()) {
    if (node->kind() == prim::CreateObject && has_one_name(*node->output())) made.push_back(node);
    for (Block* inner : node->blocks()) collect_made(*inner, made);
  }
}

/// Follows what the attributes of the single remaining module hold, and those of objects that the
/// model makes.
class Forwarding {
public:
  Forwarding(const Value* self, const std::vector<Node*>& made) : objects_{self} {
    for (const Node* node : made) objects_.insert(node->output());
  }

  void run(Block& block) {
    Held held;
    run(block, held);
  }

private:
  using Attribute = std::pair<const Value*, std::string>;
  using Held = std::map<Attribute, Value*>;

  static Attribute attribute_of(const Node& node) { return {node.input(0), node.s(attr::name)}; }

  bool is_followed(const Node& node, c10::Symbol kind) const {
    return node.kind() == kind && objects_.contains(node.input(0));
  }

  /// An attribute set in a block may already be set before the block, in a loop, and may be set
  /// after it.
  static void forget_set_inside(const Block& block, Held& held) {
    for (const Node* node : block.nodes()) {
      if (node->kind() == prim::SetAttr) held.erase(attribute_of(*node));
      for (const Block* inner : node->blocks()) forget_set_inside(*inner, held);
    }
  }

  void run(Block& block, Held& held) {
    for (auto at = block.nodes().begin(); at != block.nodes().end();) {
      Node* node = *at++;
      for (const Block* inner : node->blocks()) forget_set_inside(*inner, held);
      for (Block* inner : node->blocks()) {
        Held inside = held;
        run(*inner, inside);
      }
      if (is_followed(*node, prim::SetAttr)) held[attribute_of(*node)] = node->input(1);
      if (!is_followed(*node, prim::GetAttr)) continue;
      const auto found = held.find(attribute_of(*node));
      if (found == held.end()) continue;
      node->output()->replaceAllUsesWith(found->second);
      node->destroy();
    }
  }

  std::unordered_set<const Value*> objects_;
};

/// Removes objects whose attributes are set and never read. @return whether there were any
bool drop_unread(const std::vector<Node*>& made) {
  bool dropped = false;
  for (Node* node : made) {
    const auto uses = node->output()->uses();
    if (std::any_of(uses.begin(), uses.end(),
                    [](const torch::jit::Use& use) { return use.user->kind() != prim::SetAttr; }))
      continue;
    for (const torch::jit::Use& use : uses) use.user->destroy();
    node->destroy();
    dropped = true;
  }
  return dropped;
}

void collect_names(const Node& node, std::set<std::string>& names) {
  if (node.kind() == prim::SetAttr || node.kind() == prim::GetAttr)
    names.insert(node.s(attr::name));
  for (const Block* block : node.blocks())
    for (const Node* inner : block->nodes()) collect_names(*inner, names);
}

/// An attribute that is not read any more is set at the end: until then its value, such as a list
/// that is appended to, is local to the model.
void set_last(torch::jit::Graph& graph) {
  std::set<std::string> seen_later;
  for (auto at = graph.nodes().rbegin(); at != graph.nodes().rend();) {
    Node* node = *at++;
    const bool last = is_of_self(*node, prim::SetAttr) && !seen_later.contains(node->s(attr::name));
    collect_names(*node, seen_later);
    if (last) node->moveBefore(graph.return_node());
  }
}

} // namespace

void forward_attributes(torch::jit::Graph& graph) {
  constexpr int levels = 4; // what an object holds can be followed once the object is gone
  bool dropped = true;
  for (int level = 0; level < levels && dropped; ++level) {
    std::vector<Node*> made;
    collect_made(*graph.block(), made);
    Forwarding(graph.inputs()[0], made).run(*graph.block());
    dropped = drop_unread(made);
  }
  set_last(graph);
}

} // namespace model_validator::partition
