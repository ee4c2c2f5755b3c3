#include "partition/torchscript/known_lists.h"

#include "connected_graph/torchscript/collections.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
namespace aten = torch::jit::aten;
namespace prim = torch::jit::prim;

bool is_copy(const Node& node) {
  static const auto copy = c10::Symbol::aten("copy"); // of a list; not every torch has a constant
  return node.kind() == aten::list || node.kind() == copy;
}

/// So that a file of many copies takes time proportional to its size.
constexpr std::size_t max_copied = 100'000;

std::optional<std::vector<std::int64_t>> integers_of(const Node& list) {
  std::vector<std::int64_t> numbers;
  for (const torch::jit::Value* element : list.inputs()) {
    const auto value = torch::jit::toIValue(element);
    if (!value || !value->isInt()) return std::nullopt;
    numbers.push_back(value->toInt());
  }
  return numbers;
}

std::optional<std::int64_t> sum_of(const std::vector<std::int64_t>& numbers) {
  std::int64_t sum = 0;
  for (const std::int64_t number : numbers)
    if (__builtin_add_overflow(sum, number, &sum)) return std::nullopt;
  return sum;
}

bool asks(const Node& node) {
  return node.kind() == aten::sum || node.kind() == prim::min || node.kind() == prim::max;
}

std::optional<std::int64_t> result_of(const Node& node, const Node& list) {
  const auto kind = node.kind();
  const auto numbers = integers_of(list);
  if (!numbers) return std::nullopt;
  if (kind == aten::sum) return sum_of(*numbers);
  if (numbers->empty()) return std::nullopt;
  return kind == prim::min ? *std::min_element(numbers->begin(), numbers->end())
                           : *std::max_element(numbers->begin(), numbers->end());
}

class Folding {
public:
  void visit(Block& block) {
    for (Node* node : block.nodes()) {
      for (Block* inner : node->blocks()) visit(*inner);
      fold(*node);
    }
  }

private:
  void fold(Node& node) {
    if (!is_copy(node) && !asks(node)) return;
    Node* list = list_of(node);
    if (list == nullptr) return;
    const torch::jit::WithInsertPoint here(&node);
    if (is_copy(node))
      copy(*list, node);
    else if (const auto number = result_of(node, *list))
      node.output()->replaceAllUsesWith(node.owningGraph()->insertConstant(*number));
  }

  /// The list that is a node's only input, if it is made in the graph and never changed.
  Node* list_of(Node& node) {
    if (node.inputs().size() != 1 || node.outputs().size() != 1) return nullptr;
    Node* made = node.input()->node();
    if (made->kind() != prim::ListConstruct) return nullptr;
    const auto [known, fresh] = unchanged_.try_emplace(made, false);
    if (fresh) known->second = only_read_or_copied(*node.input());
    return known->second ? made : nullptr;
  }

  void copy(Node& list, Node& node) {
    if (list.inputs().size() > elements_left_) return;
    elements_left_ -= list.inputs().size();
    torch::jit::Graph& graph = *node.owningGraph();
    const auto element = node.output()->type()->containedType(0);
    Node* made = graph.insertNode(graph.createList(element, list.inputs()));
    node.output()->replaceAllUsesWith(made->output());
  }

  std::unordered_map<const Node*, bool> unchanged_; ///< lists already examined
  std::size_t elements_left_ = max_copied;
};

} // namespace

bool only_read_or_copied(const torch::jit::Value& list) {
  const auto& uses = list.uses();
  return std::all_of(uses.begin(), uses.end(), [](const torch::jit::Use& use) {
    return is_copy(*use.user) || torchscript::only_reads(use);
  });
}

void fold_known_lists(torch::jit::Graph& graph) { Folding().visit(*graph.block()); }

} // namespace model_validator::partition
