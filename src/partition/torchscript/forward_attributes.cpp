#include "partition/torchscript/forward_attributes.h"

#include <map>
#include <set>
#include <string>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
namespace attr = torch::jit::attr;
namespace prim = torch::jit::prim;

/// What the attributes of the single remaining module hold, by name.
using Held = std::map<std::string, Value*>;

bool is_of_self(const Node& node, c10::Symbol kind) {
  return node.kind() == kind && node.input(0) == node.owningGraph()->inputs()[0];
}

/// An attribute set in a block may already be set before the block, in a loop, and may be set after
/// it.
void forget_set_inside(const Block& block, Held& held) {
  for (const Node* node : block.nodes()) {
    if (node->kind() == prim::SetAttr) held.erase(node->s(attr::name));
    for (const Block* inner : node->blocks()) forget_set_inside(*inner, held);
  }
}

void forward(Block& block, Held& held) {
  for (auto at = block.nodes().begin(); at != block.nodes().end();) {
    Node* node = *at++;
    for (const Block* inner : node->blocks()) forget_set_inside(*inner, held);
    for (Block* inner : node->blocks()) {
      Held inside = held;
      forward(*inner, inside);
    }
    if (is_of_self(*node, prim::SetAttr)) held[node->s(attr::name)] = node->input(1);
    if (!is_of_self(*node, prim::GetAttr)) continue;
    const auto found = held.find(node->s(attr::name));
    if (found == held.end()) continue;
    node->output()->replaceAllUsesWith(found->second);
    node->destroy();
  }
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
  Held held;
  forward(*graph.block(), held);
  set_last(graph);
}

} // namespace model_validator::partition
