#include "partition/torchscript/memory.h"

#include "partition/torchscript/plain_writes.h"

#include <model_validator/connected_graph.h>

#include <algorithm>

namespace model_validator::partition {
namespace {

using torch::jit::Node;
using torch::jit::Value;
namespace prim = torch::jit::prim;

bool is_tensor(const Value* value) { return value->type()->kind() == c10::TypeKind::TensorType; }

/// The arguments that an operator writes into.
void add_written(Node& node, std::vector<Value*>& written) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  if (schema == nullptr) return;
  const auto& arguments = schema->arguments();
  for (std::size_t i = 0; i < arguments.size() && i < node.inputs().size(); ++i)
    if (const auto* alias = arguments[i].alias_info(); alias != nullptr && alias->isWrite())
      written.push_back(node.inputs()[i]);
}

void add_written_inside(Node& node, std::vector<Value*>& written) {
  for (torch::jit::Block* block : node.blocks())
    for (Node* inner : block->nodes()) {
      add_written(*inner, written);
      add_written_inside(*inner, written);
    }
}

/// Whether a value of one type may have one of the other inside it: a list of dicts has dicts.
bool may_hold(const c10::Type& outer, const c10::Type& inner, int depth = 0) {
  constexpr int deepest = 8; // classes may hold themselves
  if (depth > deepest) return true;
  const auto contained = outer.containedTypes();
  return std::any_of(contained.begin(), contained.end(), [&](const c10::TypePtr& type) {
    return (type->kind() == inner.kind() &&
            (inner.kind() == c10::TypeKind::TensorType || *type == inner)) ||
           may_hold(*type, inner, depth + 1);
  });
}

/// Values that may share memory, grouped: along every chain from what is read to what is made.
class ClassMaker {
public:
  std::size_t number(Value* value) {
    const auto [entry, fresh] = numbers_.try_emplace(value, parents_.size());
    if (fresh) {
      parents_.push_back(entry->second);
      values_.push_back(value);
    }
    return entry->second;
  }
  void unite(Value* a, Value* b) { parents_[root(number(a))] = root(number(b)); }
  std::size_t root(std::size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  const std::vector<Value*>& values() const { return values_; }

private:
  std::unordered_map<const Value*, std::size_t> numbers_;
  std::vector<std::size_t> parents_;
  std::vector<Value*> values_;
};

/// The values by which the memory of each class may still be read.
class Onlookers {
public:
  Onlookers(const torch::jit::AliasDb& aliases, const LastReaders& readers, std::size_t classes)
      : aliases_(aliases), readers_(readers), values_(classes) {}

  void add(Value* value, std::size_t of_class) { values_[of_class].push_back(value); }
  /// Whether nobody after the writer reads what it writes by another value than this.
  bool all_gone(Value* written, std::size_t of_class, std::size_t writer) {
    auto& others = values_[of_class];
    std::erase_if(others, [&](const Value* other) { return readers_.of(other) <= writer; });
    return std::none_of(others.begin(), others.end(), [&](Value* other) {
      return other != written && aliases_.mayContainAlias(other, written);
    });
  }

private:
  const torch::jit::AliasDb& aliases_;
  const LastReaders& readers_;
  std::vector<std::vector<Value*>> values_;
};

} // namespace

Memory::Memory(std::shared_ptr<torch::jit::Graph> graph, Units& units)
    : graph_(std::move(graph)), units_(units), aliases_(graph_) {
  classify();
  write_plainly_where_possible();
  units_.refresh();
  keep_together();
}

void Memory::classify() {
  ClassMaker maker;
  for (const Unit& unit : units_.all())
    for (Value* made : unit.node->outputs()) {
      maker.number(made);
      for (Value* read : unit.reads)
        if (aliases_.mayContainAlias(made, read)) maker.unite(made, read);
    }
  for (const Unit& unit : units_.all())
    for (Value* read : unit.reads) maker.number(read);
  std::unordered_map<std::size_t, Class> dense;
  for (Value* value : maker.values()) {
    const std::size_t root = maker.root(maker.number(value));
    const auto [entry, fresh] = dense.try_emplace(root, members_.size());
    if (fresh) members_.emplace_back();
    classes_[value] = entry->second;
    members_[entry->second].push_back(value);
  }
}

Memory::Class Memory::class_of(const Value* value) const {
  const auto found = classes_.find(value);
  return found == classes_.end() ? none : found->second;
}

std::vector<Value*> Memory::written_by(const Unit& unit) const {
  std::vector<Value*> written;
  if (unit.node->blocks().empty()) {
    add_written(*unit.node, written);
    return written;
  }
  std::vector<Value*> inside;
  add_written_inside(*unit.node, inside);
  // The dict that a loop takes out of a list and writes into is the list's.
  const auto writes_into = [&](Value* read) {
    return std::any_of(inside.begin(), inside.end(), [&](Value* each) {
      return may_hold(*read->type(), *each->type()) && aliases_.mayContainAlias(each, read);
    });
  };
  for (Value* read : unit.reads)
    if (aliases_.writesToAlias(unit.node, {read}) || writes_into(read)) written.push_back(read);
  return written;
}

/// The one tensor that an operator writes and returns.
Value* Memory::plain_target(const Unit& unit) const {
  const auto written = written_by(unit);
  const bool one = written.size() == 1 && unit.node->blocks().empty() &&
                   unit.node->outputs().size() == 1 && is_tensor(written[0]) &&
                   is_tensor(unit.node->output()) && unit.node->input(0) == written[0] &&
                   aliases_.mayAlias(written[0], unit.node->output());
  const bool weight =
      one && units_.maker(written[0]) == none && written[0]->node()->kind() != prim::Param;
  return one && !weight ? written[0] : nullptr;
}

std::vector<Memory::Class> Memory::classes_written_by(const Unit& unit) const {
  std::vector<Class> classes;
  for (const Value* written : written_by(unit))
    if (const Class c = class_of(written); c != none) classes.push_back(c);
  return classes;
}

void Memory::write_plainly_where_possible() {
  CurrentNames names;
  LastReaders readers(units_, *graph_);
  Onlookers onlookers(aliases_, readers, members_.size());
  for (Class c = 0; c < members_.size(); ++c)
    for (Value* member : members_[c])
      if (units_.maker(member) == none) onlookers.add(member, c);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    torch::jit::Node& node = *units_[i].node;
    names.update(node);
    const std::vector<Class> written = classes_written_by(units_[i]);
    for (const Class c : written) writers_[c].push_back(i);
    Value* target = written.empty() ? nullptr : plain_target(units_[i]);
    if (target != nullptr && !tangled_.contains(class_of(target)) &&
        onlookers.all_gone(target, class_of(target), i)) {
      names.replace(target, node.output());
      readers.hand_over(target, node.output(), i);
      plain_[i] = target;
    } else {
      tangled_.insert(written.begin(), written.end());
    }
    for (Value* made : node.outputs())
      if (const Class c = class_of(made); c != none) onlookers.add(made, c);
  }
  names.update(*graph_->return_node());
}

void Memory::keep_together() {
  for (const auto& [c, writers] : writers_) {
    if (!tangled_.contains(c)) continue;
    // What the model keeps from run to run, or shares with the caller, is read by all from one
    // copy.
    const bool kept = std::any_of(members_[c].begin(), members_[c].end(), [&](const Value* member) {
      return units_.maker(member) == none;
    });
    const std::size_t last = kept ? units_.size() : writers.back();
    std::vector<std::size_t> group(writers);
    for (const Value* member : members_[c]) {
      if (const std::size_t maker = units_.maker(member); maker != none && maker <= last)
        group.push_back(maker);
      for (const std::size_t reader : units_.readers(member))
        if (reader <= last) group.push_back(reader);
    }
    inseparable_.push_back(std::move(group));
  }
}

std::vector<Value*> Memory::written_inputs() const {
  std::vector<Value*> written;
  for (Value* input : graph_->inputs())
    if (is_tensor(input) && tangled_.contains(class_of(input))) written.push_back(input);
  return written;
}

Value* Memory::plainly_written(std::size_t unit) const {
  const auto found = plain_.find(unit);
  if (found == plain_.end() || tangled_.contains(class_of(found->second))) return nullptr;
  return found->second;
}

bool Memory::shares_before(std::size_t unit, Value* value) const {
  Value* written = plain_.at(unit);
  const std::size_t maker = units_.maker(value);
  return class_of(value) == class_of(written) && (maker == none || maker < unit) &&
         aliases_.mayContainAlias(value, written);
}

} // namespace model_validator::partition
