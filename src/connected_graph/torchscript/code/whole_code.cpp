#include "connected_graph/torchscript/code/whole_code.h"

#include "connected_graph/noted_use.h"
#include "connected_graph/torchscript/code/live_nodes.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <unordered_set>

namespace model_validator::torchscript {
namespace {

/// The node of a block that makes the last of some values; `last` where none of them is made later.
template <class Values>
const Node* last_maker(const Block& block, const Values& values, const Node* last) {
  for (const Value* value : values) {
    const Node& node = *value->node();
    if (node.kind() == prim::TupleConstruct && block.owningNode() == nullptr)
      last = last_maker(block, node.inputs(), last);
    else if (node.owningBlock() == &block && node.kind() != prim::Param && last->isBefore(&node))
      last = &node;
  }
  return last;
}

/// Adds the nodes of a block until all that it yields is made; the first of them in any case.
void add_reached(const Block& block, const std::unordered_set<const Node*>& live,
                 std::vector<const Node*>& to) {
  const Node* last = nullptr;
  for (const Node* node : block.nodes()) {
    if (!live.contains(node)) continue;
    to.push_back(node);
    if (node->kind() == prim::GetAttr) continue;
    for (const Block* inner : node->blocks()) add_reached(*inner, live, to);
    if (last == nullptr) last = last_maker(block, block.outputs(), node);
    if (node == last) return;
  }
}

std::vector<const Node*> reached_nodes(const Graph& graph) {
  const std::vector<const Node*> live = live_nodes_and_effects(graph);
  std::vector<const Node*> reached;
  add_reached(*graph.block(), {live.begin(), live.end()}, reached);
  // What grows a list is rewritten first, wherever it is.
  const std::unordered_set<const Node*> known(reached.begin(), reached.end());
  std::copy_if(live.begin(), live.end(), std::back_inserter(reached), [&known](const Node* node) {
    return node->kind() == aten::append && !known.contains(node);
  });
  return reached;
}

bool is_attribute(const Value& value) {
  return value.node()->kind() == prim::GetAttr && value.type()->kind() != c10::TypeKind::ClassType;
}

/// Whether a block returns an attribute that is read in it.
bool returns_own_attribute(const Block& block) {
  const auto outputs = block.outputs();
  return std::any_of(outputs.begin(), outputs.end(), [&block](const Value* output) {
    return is_attribute(*output) && output->node()->owningBlock() == &block;
  });
}

bool reads_made_by(const Node& node, c10::Symbol maker) {
  const auto inputs = node.inputs();
  return std::any_of(inputs.begin(), inputs.end(),
                     [maker](const Value* input) { return input->node()->kind() == maker; });
}

/// Whether it takes such a number, or a list with one.
bool takes_number_of(const Node& node, c10::Symbol maker) {
  const auto inputs = node.inputs();
  return reads_made_by(node, maker) ||
         std::any_of(inputs.begin(), inputs.end(), [maker](const Value* input) {
           return input->node()->kind() == prim::ListConstruct &&
                  reads_made_by(*input->node(), maker);
         });
}

/// A value, and how many axes it has more than the one that it was made of.
struct Reshaped {
  const Value* value;
  int axes;
};

Reshaped origin_of(const Value& value) {
  Reshaped found{&value, 0};
  constexpr int max_steps = 16;
  for (int step = 0; step < max_steps; ++step) {
    const Node& node = *found.value->node();
    if (node.kind() == aten::unsqueeze)
      ++found.axes;
    else if (node.kind() == aten::select || node.kind() == aten::squeeze)
      --found.axes;
    else
      break;
    found.value = node.input(0);
  }
  return found;
}

bool differ_in_rank(const Value& a, const Value& b) {
  const Reshaped first = origin_of(a), second = origin_of(b);
  return first.value == second.value && first.axes != second.axes;
}

/// Whether the arms of an `if` yield one value with other numbers of axes, or a loop gives it back
/// with another.
bool changes_rank(const Node& node) {
  if (node.kind() == prim::Loop) {
    const Block& body = *node.blocks()[0];
    for (std::size_t i = 1; i < body.outputs().size() && i < body.inputs().size(); ++i)
      if (differ_in_rank(*body.outputs()[i], *body.inputs()[i])) return true;
    return false;
  }
  if (node.kind() != prim::If) return false;
  for (std::size_t i = 0; i < node.outputs().size(); ++i)
    if (differ_in_rank(*node.blocks()[0]->outputs()[i], *node.blocks()[1]->outputs()[i]))
      return true;
  return false;
}

bool is_number(const Value& value) {
  const c10::TypeKind kind = value.type()->kind();
  return kind == c10::TypeKind::IntType || kind == c10::TypeKind::FloatType ||
         kind == c10::TypeKind::BoolType;
}

/// A `while` whose condition compares numbers alone.
bool is_counted_while(const Node& node) {
  if (node.kind() != prim::Loop) return false;
  const std::optional<c10::IValue> turns = torch::jit::toIValue(node.input(0));
  const bool endless =
      turns && turns->isInt() && turns->toInt() == std::numeric_limits<std::int64_t>::max();
  const auto operands = node.input(1)->node()->inputs();
  return endless && !operands.empty() &&
         std::all_of(operands.begin(), operands.end(),
                     [](const Value* each) { return is_number(*each); });
}

/// Appends to a list that another block makes, or that is empty when it is made.
bool appends_to_empty(const Node& node) {
  return node.kind() == aten::append && node.input(0)->node()->kind() == prim::ListConstruct &&
         node.input(0)->node()->inputs().empty();
}

bool appends_to_outer(const Node& node) {
  return node.kind() == aten::append && node.input(0)->node()->owningBlock() != node.owningBlock();
}

} // namespace

WholeCode::WholeCode(const Graph& graph, const torch::jit::Module& root)
    : graph_(graph), values_(graph, root), nodes_(reached_nodes(graph)) {}

/// Whether it is an attribute of a module that is no tensor.
bool WholeCode::is_plain_attribute(const Value& value) {
  if (!is_attribute(value) || value.type()->kind() == c10::TypeKind::TensorType) return false;
  if (value.type()->kind() != c10::TypeKind::OptionalType) return true;
  const std::optional<c10::IValue> held = values_.of(value);
  return held && !held->isTensor();
}

void WholeCode::add_attributes(const Node& node, std::vector<std::string>& to) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  for (std::size_t i = 0; i < node.inputs().size(); ++i) {
    if (!is_plain_attribute(*node.input(i))) continue;
    to.emplace_back(word_of(NotedUse::attribute));
    if (schema != nullptr && i < schema->arguments().size())
      to.push_back(std::string(attribute_use) + schema->arguments()[i].name());
  }
}

std::vector<std::string> WholeCode::uses(const Node& node) {
  std::vector<std::string> found;
  if (node.kind() == prim::GetAttr) return found;
  add_attributes(node, found);
  const auto add = [&found](bool is_so, NotedUse use) {
    if (is_so) found.emplace_back(word_of(use));
  };
  const auto blocks = node.blocks();
  add(std::any_of(blocks.begin(), blocks.end(),
                  [](const Block* block) { return returns_own_attribute(*block); }),
      NotedUse::attribute_returned);
  add(appends_to_empty(node), NotedUse::empty_list);
  add(appends_to_outer(node), NotedUse::from_outside);
  add(reads_made_by(node, prim::dtype), NotedUse::dtype_of_a_tensor);
  add(takes_number_of(node, aten::floordiv), NotedUse::quotient);
  add(changes_rank(node), NotedUse::other_rank);
  add(is_counted_while(node), NotedUse::counted_while);
  return found;
}

bool WholeCode::returns_attribute() const {
  const auto returned = [](const Value* output) { return is_attribute(*output); };
  for (const Value* output : graph_.outputs()) {
    if (returned(output)) return true;
    const auto parts = output->node()->inputs();
    if (output->node()->kind() == prim::TupleConstruct &&
        std::any_of(parts.begin(), parts.end(), returned))
      return true;
  }
  return false;
}

} // namespace model_validator::torchscript
