#include "partition/torchscript/grown_collections.h"

#include "connected_graph/torchscript/collections.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
namespace aten = torch::jit::aten;
namespace prim = torch::jit::prim;

/// So that a file of many steps with reads between them takes time proportional to its size.
constexpr std::size_t max_elements = 100'000;

/// The node of the block that a node is, or is nested in.
Node* in_block(Node* node, const Block& block) {
  while (node->owningBlock() != &block) node = node->owningBlock()->owningNode();
  return node;
}

bool same_key(const Value& a, const Value& b) {
  const auto x = torch::jit::toIValue(&a), y = torch::jit::toIValue(&b);
  return x && y && x->tagKind() == y->tagKind() && *x == *y;
}

/// A list or dict, and its current contents: for a dict, keys and values alternate.
class Collection {
public:
  explicit Collection(Node& made)
      : type_(made.output()->type()), held_(made.inputs().begin(), made.inputs().end()) {}

  static bool is_made_by(const Node& node) {
    return node.kind() == prim::ListConstruct || node.kind() == prim::DictConstruct ||
           (node.kind() == aten::dict && node.inputs().empty());
  }

  /// Whether a use adds to the collection, or sets an element, in a way known in advance.
  static bool is_growth(const torch::jit::Use& use) {
    const Node& user = *use.user;
    if (use.offset != 0) return false;
    return user.kind() == aten::append ||
           (user.kind() == aten::_set_item && torch::jit::toIValue(user.input(1)).has_value());
  }

  /// Whether each step finds the element of a list that it sets.
  bool can_take(const std::vector<Node*>& steps) const {
    if (type_->kind() != c10::TypeKind::ListType) return has_distinct_keys();
    std::size_t size = held_.size();
    for (const Node* step : steps) {
      if (step->kind() == aten::append)
        ++size;
      else if (!index_in(size, *step))
        return false;
    }
    return true;
  }

  void grow(Node& step) {
    if (step.kind() == aten::append) {
      held_.push_back(step.input(1));
      return;
    }
    if (type_->kind() == c10::TypeKind::ListType) {
      held_[*index_in(held_.size(), step)] = step.input(2);
      return;
    }
    Value* key = step.input(1);
    Value* value = step.input(2);
    for (std::size_t i = 0; i < held_.size(); i += 2)
      if (same_key(*held_[i], *key)) {
        held_[i + 1] = value;
        return;
      }
    held_.insert(held_.end(), {key, value});
  }

  Node* make(torch::jit::Graph& graph) const {
    if (const auto dict = type_->cast<c10::DictType>()) {
      std::vector<Value*> keys, values;
      for (std::size_t i = 0; i < held_.size(); i += 2) {
        keys.push_back(held_[i]);
        values.push_back(held_[i + 1]);
      }
      return graph.createDict(dict->getKeyType(), dict->getValueType(), keys, values);
    }
    return graph.createList(type_->containedType(0), held_);
  }

  std::size_t size() const { return held_.size(); }

private:
  /// Among equal keys the last one counts, but need not be found first.
  bool has_distinct_keys() const {
    constexpr std::size_t most = 256;
    if (held_.size() > most) return false;
    for (std::size_t i = 0; i < held_.size(); i += 2) {
      if (!torch::jit::toIValue(held_[i])) return false;
      for (std::size_t before = 0; before < i; before += 2)
        if (same_key(*held_[before], *held_[i])) return false;
    }
    return true;
  }

  static std::optional<std::size_t> index_in(std::size_t size, const Node& step) {
    const auto signed_size = static_cast<std::int64_t>(size);
    const auto index = torch::jit::toIValue(step.input(1));
    if (!index || !index->isInt()) return std::nullopt;
    const std::int64_t at = index->toInt();
    if (at < -signed_size || at >= signed_size) return std::nullopt;
    return static_cast<std::size_t>(at < 0 ? at + signed_size : at);
  }

  c10::TypePtr type_;
  std::vector<Value*> held_;
};

class Rebuilding {
public:
  void visit(Block& block) {
    std::vector<Node*> made;
    for (Node* node : block.nodes()) {
      for (Block* inner : node->blocks()) visit(*inner);
      if (Collection::is_made_by(*node)) made.push_back(node);
    }
    for (Node* node : made) rebuild(*node);
  }

private:
  struct Reader {
    torch::jit::Use use;
    Node* at = nullptr; ///< in the block of the collection
  };

  void rebuild(Node& made) {
    std::vector<Node*> steps;
    std::vector<Reader> readers;
    if (!sort_uses(made, steps, readers)) return;
    Collection collection(made);
    if (!collection.can_take(steps)) return;
    if ((collection.size() + 2 * steps.size()) * steps.size() > elements_left_) return;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      collection.grow(*steps[i]);
      redirect(collection, *steps[i], i + 1 < steps.size() ? steps[i + 1] : nullptr, readers);
    }
    for (Node* step : steps) step->destroy();
  }

  /// Whether the collection only grows, in its own block, and is read; anything else that holds it
  /// comes after the last step.
  static bool sort_uses(Node& made, std::vector<Node*>& steps, std::vector<Reader>& readers) {
    for (const torch::jit::Use& use : made.output()->uses()) {
      Node* const user = use.user;
      if (!Collection::is_growth(use)) {
        readers.push_back({use, in_block(user, *made.owningBlock())});
        continue;
      }
      if (user->owningBlock() != made.owningBlock() || user->hasUses()) return false;
      steps.push_back(user);
    }
    if (steps.empty()) return false;
    std::sort(steps.begin(), steps.end(),
              [](const Node* a, const Node* b) { return a->isBefore(b); });
    return std::all_of(readers.begin(), readers.end(), [&](const Reader& reader) {
      return steps.back()->isBefore(reader.at) || torchscript::only_reads(reader.use);
    });
  }

  /// Readers between a step and the next one read a collection of everything added so far.
  void redirect(const Collection& collection, Node& step, const Node* next,
                const std::vector<Reader>& readers) {
    Node* made = nullptr;
    for (const Reader& reader : readers) {
      const bool after = step.isBefore(reader.at);
      if (!after || (next != nullptr && !reader.at->isBefore(next))) continue;
      if (made == nullptr) {
        made = collection.make(*step.owningGraph());
        made->insertAfter(&step);
        elements_left_ -= std::min(elements_left_, collection.size());
      }
      reader.use.user->replaceInput(reader.use.offset, made->output());
    }
  }

  std::size_t elements_left_ = max_elements;
};

} // namespace

void rebuild_grown_collections(torch::jit::Graph& graph) { Rebuilding().visit(*graph.block()); }

} // namespace model_validator::partition
