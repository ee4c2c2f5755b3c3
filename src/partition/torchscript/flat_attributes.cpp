#include "partition/torchscript/flat_attributes.h"

#include "connected_graph/torchscript/reachable_values.h"
#include "partition/torchscript/inlined_values.h"
#include "partition/torchscript/known_lists.h"

#include <torch/csrc/jit/ir/constants.h>

#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>
#include <vector>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
namespace attr = torch::jit::attr;
namespace prim = torch::jit::prim;

/// A number takes a hundred times as much memory in a graph as in a file.
constexpr std::size_t max_numbers = 10'000;

void collect(Block& block, std::vector<Node*>& nodes) {
  for (Node* node : block.nodes()) {
    if (node->kind() == prim::GetAttr || node->kind() == prim::SetAttr) nodes.push_back(node);
    for (Block* inner : node->blocks()) collect(*inner, nodes);
  }
}

/// Moves every attribute that the graph reads to the single remaining module.
class Attributes {
public:
  explicit Attributes(FlatModule& flat) : flat_(flat), graph_(*flat.inlined.graph) {}

  void move() {
    collect(*graph_.block(), nodes_);
    for (Node* node : nodes_)
      if (node->kind() == prim::SetAttr) changed_.insert(key_of(*node));
    self_ = graph_.insertInput(0, "self");
    for (Node* node : nodes_)
      if (changed_.contains(key_of(*node)))
        redirect(*node);
      else if (node->kind() == prim::GetAttr)
        move_constant(*node);
    self_->setType(flat_.module.type());
    write_out_lists();
  }

private:
  /// Attributes are identified by class: one that changes in one object counts as changing in all.
  using Key = std::pair<const c10::Type*, std::string>;

  static Key key_of(const Node& node) { return {node.input(0)->type().get(), node.s(attr::name)}; }

  const KnownObject* owner_of(const Node& node) const {
    const auto found = flat_.inlined.objects.find(node.input(0));
    return found == flat_.inlined.objects.end() ? nullptr : &found->second;
  }

  /// An attribute that the model sets stays an attribute.
  void redirect(Node& node) {
    const KnownObject* owner = owner_of(node);
    if (owner == nullptr) return;
    const std::string& name = node.s(attr::name);
    auto& flat_name = set_[{owner->object.get(), name}];
    if (flat_name.empty())
      flat_name = add(owner->path, name, owner->object->type()->getAttribute(name),
                      owner->object->getAttr(name));
    node.replaceInput(0, self_);
    node.s_(attr::name, flat_name);
  }

  void move_constant(Node& node) {
    const KnownObject* owner = owner_of(node);
    if (owner == nullptr) return;
    const std::string& name = node.s(attr::name);
    const c10::IValue value = owner->object->getAttr(name);
    if (value.isObject() && value.toObjectRef().type()->is_module()) return;
    if (is_plain(value)) {
      const torch::jit::WithInsertPoint here(&node);
      node.output()->replaceAllUsesWith(graph_.insertConstant(value));
      return;
    }
    Value*& read = value.isTensor() ? tensors_[identity(value.toTensor())]
                                    : others_[{owner->object.get(), name}];
    if (read == nullptr) {
      const auto type = value.isTensor() ? c10::TypePtr(c10::TensorType::get())
                                         : owner->object->type()->getAttribute(name);
      read = read_at_start(add(owner->path, name, type, value), type);
    }
    node.output()->replaceAllUsesWith(read);
  }

  Value* read_at_start(const std::string& name, const c10::TypePtr& type) {
    Node* node = graph_.create(prim::GetAttr, {self_}, 1);
    node->s_(attr::name, name);
    node->output()->setType(type);
    return graph_.prependNode(node)->output();
  }

  /// Builds lists of integers that nothing changes in the graph, so that they are known there.
  void write_out_lists() {
    std::unordered_set<const void*> changed;
    const auto may_change = [&](const c10::IValue& held) {
      changed.insert(held.internalToPointer());
    };
    for (const auto& entry : set_)
      torchscript::for_each_reachable(flat_.module.attr(entry.second), may_change);
    for (const auto& [key, read] : others_)
      if (!value_of(*read).isIntList() || !only_read_or_copied(*read))
        torchscript::for_each_reachable(value_of(*read), may_change);
    for (const auto& [key, read] : others_)
      if (const c10::IValue list = value_of(*read);
          list.isIntList() && !changed.contains(list.internalToPointer()))
        write_out(*read, list.toIntVector());
  }

  void write_out(Value& read, const std::vector<std::int64_t>& list) {
    if (list.size() > numbers_left_) return;
    numbers_left_ -= list.size();
    const torch::jit::WithInsertPoint behind(read.node()->next());
    std::vector<Value*> elements;
    for (const std::int64_t number : list) elements.push_back(graph_.insertConstant(number));
    Node* made = graph_.insertNode(graph_.createList(c10::IntType::get(), elements));
    read.replaceAllUsesWith(made->output());
  }

  c10::IValue value_of(const Value& read) const {
    return flat_.module.attr(read.node()->s(attr::name));
  }

  /// A shared weight is the same range of the same storage.
  using Identity = std::tuple<const void*, std::int64_t, std::vector<std::int64_t>,
                              std::vector<std::int64_t>, c10::ScalarType>;
  static Identity identity(const at::Tensor& tensor) {
    if (!tensor.has_storage() || tensor.layout() != c10::kStrided)
      return {tensor.unsafeGetTensorImpl(), 0, {}, {}, tensor.scalar_type()};
    return {tensor.storage().unsafeGetStorageImpl(), tensor.storage_offset(), tensor.sizes().vec(),
            tensor.strides().vec(), tensor.scalar_type()};
  }

  std::string add(const std::string& path, const std::string& name, const c10::TypePtr& type,
                  const c10::IValue& value) {
    const std::string full = path.empty() ? name : path + "." + name;
    std::string flat = "p_" + identifier(full);
    while (flat_.paths.contains(flat)) flat += "_";
    flat_.paths[flat] = full;
    flat_.module.register_attribute(flat, type, value, false,
                                    value.isTensor() && type->kind() == c10::TypeKind::TensorType);
    return flat;
  }

  FlatModule& flat_;
  torch::jit::Graph& graph_;
  Value* self_ = nullptr;
  std::vector<Node*> nodes_;
  std::set<Key> changed_;
  std::map<std::pair<const void*, std::string>, std::string> set_;
  std::map<std::pair<const void*, std::string>, Value*> others_;
  std::map<Identity, Value*> tensors_;
  std::size_t numbers_left_ = max_numbers;
};

} // namespace

void move_attributes(FlatModule& flat) { Attributes(flat).move(); }

} // namespace model_validator::partition
