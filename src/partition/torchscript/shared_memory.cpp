#include "partition/torchscript/shared_memory.h"

#include "connected_graph/torchscript/code/reachable_values.h"
#include "connected_graph/torchscript/code/static_types.h"

#include <model_validator/connected_graph.h>

#include <algorithm>
#include <array>

namespace model_validator::partition {
namespace {

/// Whether a value of this type can be written into, or holds one that can. Objects are left out:
/// the module's attributes are tracked separately.
bool has_memory(const c10::TypePtr& type) {
  constexpr std::array without{c10::TypeKind::NumberType, c10::TypeKind::ClassType};
  constexpr std::array wrapping{c10::TypeKind::OptionalType, c10::TypeKind::TupleType};
  if (torchscript::is_plain(*type) || contains(without, type->kind())) return false;
  if (!contains(wrapping, type->kind())) return true;
  const auto inner = type->containedTypes();
  return std::any_of(inner.begin(), inner.end(), has_memory);
}

/// Whether values of this type, if they share memory, may hold others: not a tensor, or None.
bool is_container(const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::OptionalType) return is_container(type->containedType(0));
  return type->kind() != c10::TypeKind::TensorType;
}

/// The values of a node that may share memory with each other, as its schema says. A container is
/// assumed to pass on what it holds; schemas do not say.
class SharedByNode {
public:
  explicit SharedByNode(Node& node) : node_(node), schema_(node.maybeSchema()) {
    // The language's own operators are not annotated.
    if (node.kind().is_prim()) schema_ = nullptr;
  }

  std::vector<Value*> find() {
    add(node_.outputs(), schema_ == nullptr ? nullptr : &schema_->returns());
    if (found_.empty() && schema_ != nullptr && !schema_->is_mutable()) return {};
    add(node_.inputs(), schema_ == nullptr ? nullptr : &schema_->arguments());
    return std::move(found_);
  }

private:
  void add(c10::ArrayRef<Value*> values, const std::vector<c10::Argument>* arguments) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!has_memory(values[i]->type())) continue;
      const bool annotated =
          arguments == nullptr || i >= arguments->size() || (*arguments)[i].alias_info() != nullptr;
      if (annotated || is_container(values[i]->type())) found_.push_back(values[i]);
    }
  }

  Node& node_;
  const c10::FunctionSchema* schema_;
  std::vector<Value*> found_;
};

/// Groups of values, merged as they turn out to belong together.
class Groups {
public:
  void unite(Value* a, Value* b) {
    if (has_memory(a->type()) && has_memory(b->type())) parents_[root(number(a))] = root(number(b));
  }
  std::size_t number(const Value* value) {
    const auto [entry, fresh] = numbers_.try_emplace(value, parents_.size());
    if (fresh) parents_.push_back(entry->second);
    return entry->second;
  }
  std::size_t root(std::size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }

private:
  std::unordered_map<const Value*, std::size_t> numbers_;
  std::vector<std::size_t> parents_;
};

class Uniting {
public:
  explicit Uniting(const FlatModule& flat) : flat_(flat) { visit(*flat.graph->block()); }

  std::size_t group_of(const Value* value) { return groups_.root(groups_.number(value)); }
  /// Inputs of blocks included.
  const std::vector<const Value*>& values() const { return values_; }

private:
  void visit(Block& block) {
    values_.insert(values_.end(), block.inputs().begin(), block.inputs().end());
    for (Node* node : block.nodes()) {
      values_.insert(values_.end(), node->outputs().begin(), node->outputs().end());
      for (Block* inner : node->blocks()) visit(*inner);
      unite(*node);
    }
  }

  void unite(Node& node) {
    if (node.kind() == prim::If) {
      for (Block* arm : node.blocks()) unite_each(node.outputs(), arm->outputs());
    } else if (node.kind() == prim::Loop) {
      constexpr std::size_t carried = 2; // after the trip count and the condition
      Block* body = node.blocks()[0];
      unite_each(node.inputs().slice(carried), body->inputs().slice(1));
      unite_each(body->inputs().slice(1), body->outputs().slice(1));
      unite_each(node.outputs(), body->outputs().slice(1));
    } else if (node.kind() == prim::GetAttr && node.input(0) == node.owningGraph()->inputs()[0]) {
      unite_holders(node);
    } else {
      unite_all(SharedByNode(node).find());
    }
  }

  void unite_each(c10::ArrayRef<Value*> some, c10::ArrayRef<Value*> others) {
    for (std::size_t i = 0; i < some.size(); ++i) groups_.unite(some[i], others[i]);
  }

  void unite_all(const std::vector<Value*>& values) {
    for (Value* value : values) groups_.unite(values.front(), value);
  }

  /// Attributes that hold the same list, or tensors of the same storage.
  void unite_holders(Node& node) {
    Value* read = node.output();
    const auto [first, fresh] = reads_.try_emplace(node.s(attr::name), read);
    groups_.unite(read, first->second);
    if (!fresh || !has_memory(read->type())) return;
    torchscript::for_each_reachable(
        flat_.module.attr(node.s(attr::name)), [&](const c10::IValue& held) {
          const void* memory = held.isTensor() && held.toTensor().has_storage()
                                   ? held.toTensor().storage().unsafeGetStorageImpl()
                                   : held.internalToPointer();
          groups_.unite(read, holders_.try_emplace(memory, read).first->second);
        });
  }

  const FlatModule& flat_;
  Groups groups_;
  std::vector<const Value*> values_;
  std::unordered_map<std::string, Value*> reads_; ///< the first read of each attribute
  std::unordered_map<const void*, Value*> holders_;
};

} // namespace

SharedMemory::SharedMemory(const FlatModule& flat) {
  Uniting uniting(flat);
  std::unordered_map<std::size_t, Class> dense;
  for (const Value* value : uniting.values())
    if (has_memory(value->type()))
      classes_[value] = dense.try_emplace(uniting.group_of(value), dense.size()).first->second;
  size_ = dense.size();
}

SharedMemory::Class SharedMemory::of(const Value* value) const {
  const auto found = classes_.find(value);
  return found == classes_.end() ? none : found->second;
}

} // namespace model_validator::partition
