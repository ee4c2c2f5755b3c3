#include "partition/torchscript/memory.h"

#include "connected_graph/torchscript/ir/nested_nodes.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

#include <model_validator/connected_graph.h>

#include <algorithm>
#include <map>

namespace model_validator::partition {
namespace {

bool is_tensor(const Value* value) { return value->type()->kind() == c10::TypeKind::TensorType; }

/// What a node, or one nested in it, writes into.
std::vector<Value*> written_by(Node& node) {
  std::vector<Value*> written;
  torchscript::for_nested_nodes(node, [&written](Node& each) {
    const auto by_node = torchscript::written_inputs(each);
    written.insert(written.end(), by_node.begin(), by_node.end());
  });
  return written;
}

/// The current names of values: readers after a write read its result. A walk along the graph
/// renames each reader once, as it reaches it.
class CurrentNames {
public:
  void replace(Value* old, Value* now) { now_[old] = now; }
  /// Renames what a node and the nodes nested in it read.
  void update(Node& node);

private:
  Value* of(Value* value);

  std::unordered_map<Value*, Value*> now_;
};

/// The last unit that reads each value; the number of units for what is returned.
class LastReaders {
public:
  LastReaders(const Units& units, Graph& graph);

  /// 0 if nothing reads it.
  std::size_t of(const Value* value) const;
  /// From now on, readers after the unit read `to`.
  void hand_over(const Value* from, const Value* to, std::size_t unit);

private:
  std::unordered_map<const Value*, std::size_t> last_;
};

void CurrentNames::update(Node& node) {
  for (std::size_t i = 0; i < node.inputs().size(); ++i)
    if (Value* now = of(node.input(i)); now != node.input(i)) node.replaceInput(i, now);
  for (Block* block : node.blocks()) {
    for (Node* inner : block->nodes()) update(*inner);
    update(*block->return_node());
  }
}

/// A name that was replaced repeatedly is found in one step the next time.
Value* CurrentNames::of(Value* value) {
  Value* now = value;
  for (auto next = now_.find(now); next != now_.end(); next = now_.find(now)) now = next->second;
  while (value != now) {
    Value*& next = now_.at(value);
    value = next;
    next = now;
  }
  return now;
}

LastReaders::LastReaders(const Units& units, Graph& graph) {
  for (std::size_t unit = 0; unit < units.size(); ++unit)
    for (const Value* read : units[unit].reads) last_[read] = unit;
  for (const Value* returned : graph.outputs()) last_[returned] = units.size();
}

std::size_t LastReaders::of(const Value* value) const {
  const auto found = last_.find(value);
  return found == last_.end() ? 0 : found->second;
}

void LastReaders::hand_over(const Value* from, const Value* to, std::size_t unit) {
  last_[to] = std::max(of(to), of(from));
  last_[from] = unit;
}

/// The values through which the memory of each class may still be read.
class LiveAliases {
public:
  LiveAliases(const torch::jit::AliasDb& aliases, const LastReaders& readers, std::size_t classes)
      : aliases_(aliases), readers_(readers), values_(classes), kept_(classes) {}

  /// An attribute's value may be read again, also in the next run.
  void add(Value* value, std::size_t of_class) {
    const bool kept = value->node()->kind() == prim::GetAttr;
    (kept ? kept_ : values_)[of_class].push_back(value);
  }
  /// Whether nothing after the writer reads what it writes through another value than this.
  bool all_gone(Value* written, std::size_t of_class, std::size_t writer) {
    auto& others = values_[of_class];
    std::erase_if(others, [&](const Value* other) { return readers_.of(other) <= writer; });
    const auto sees = [&](Value* other) { return aliases_.mayContainAlias(other, written); };
    return std::none_of(kept_[of_class].begin(), kept_[of_class].end(), sees) &&
           std::none_of(others.begin(), others.end(),
                        [&](Value* other) { return other != written && sees(other); });
  }

private:
  const torch::jit::AliasDb& aliases_;
  const LastReaders& readers_;
  std::vector<std::vector<Value*>> values_;
  std::vector<std::vector<Value*>> kept_;
};

} // namespace

Memory::Memory(const FlatModule& flat, Units& units)
    : graph_(flat.graph), units_(units), shared_(flat), aliases_(graph_) {
  find_members();
  write_plainly_where_possible();
  units_.refresh();
  keep_together();
}

void Memory::find_members() {
  members_.resize(shared_.size());
  std::unordered_set<const Value*> seen;
  const auto add = [&](Value* value) {
    if (const Class c = shared_.of(value); c != none && seen.insert(value).second)
      members_[c].push_back(value);
  };
  for (const Unit& unit : units_.all()) {
    for (Value* read : unit.reads) add(read);
    for (Value* made : unit.node->outputs()) add(made);
  }
}

/// The one tensor that an operator writes and returns.
Value* Memory::plain_target(const Unit& unit) const {
  const auto written = torchscript::written_inputs(*unit.node);
  const bool one = written.size() == 1 && unit.node->blocks().empty() &&
                   unit.node->outputs().size() == 1 && is_tensor(written[0]) &&
                   is_tensor(unit.node->output()) && unit.node->input(0) == written[0] &&
                   aliases_.mayAlias(written[0], unit.node->output());
  if (!one) return nullptr;
  const bool weight = units_.maker(written[0]) == none && written[0]->node()->kind() != prim::Param;
  return weight ? nullptr : written[0];
}

/// A block writes into what its unit reads, or into what it makes itself.
std::set<Memory::Class> Memory::classes_written_by(const Unit& unit) {
  const std::vector<Value*> written = written_by(*unit.node);
  if (written.empty()) return {};
  std::multimap<Class, Value*> reads;
  for (Value* read : unit.reads) reads.emplace(shared_.of(read), read);
  std::set<Class> classes;
  for (Value* each : written) {
    const Class c = shared_.of(each);
    if (c == none) continue;
    const auto [begin, end] = reads.equal_range(c);
    if (!classes.contains(c) && std::none_of(begin, end, [&](const auto& read) {
          return read.second == each || aliases_.mayContainAlias(read.second, each);
        }))
      continue;
    classes.insert(c);
  }
  return classes;
}

void Memory::write_plainly_where_possible() {
  CurrentNames names;
  LastReaders readers(units_, *graph_);
  LiveAliases live_aliases(aliases_, readers, members_.size());
  for (Class c = 0; c < members_.size(); ++c)
    for (Value* member : members_[c])
      if (units_.maker(member) == none) live_aliases.add(member, c);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    Node& node = *units_[i].node;
    names.update(node);
    const std::set<Class> written = classes_written_by(units_[i]);
    for (const Class c : written) writers_[c].push_back(i);
    Value* target = written.empty() ? nullptr : plain_target(units_[i]);
    if (target != nullptr && !tangled_.contains(shared_.of(target)) &&
        live_aliases.all_gone(target, shared_.of(target), i)) {
      names.replace(target, node.output());
      readers.hand_over(target, node.output(), i);
      plain_[i] = target;
    } else {
      tangled_.insert(written.begin(), written.end());
    }
    for (Value* made : node.outputs())
      if (const Class c = shared_.of(made); c != none) live_aliases.add(made, c);
  }
  names.update(*graph_->return_node());
}

void Memory::keep_together() {
  for (const auto& [c, writers] : writers_) {
    if (!tangled_.contains(c)) continue;
    // State kept from run to run, or shared with the caller, is read by everyone from one copy.
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
    if (is_tensor(input) && tangled_.contains(shared_.of(input))) written.push_back(input);
  return written;
}

Value* Memory::plainly_written(std::size_t unit) const {
  const auto found = plain_.find(unit);
  if (found == plain_.end() || tangled_.contains(shared_.of(found->second))) return nullptr;
  return found->second;
}

bool Memory::shares_before(std::size_t unit, Value* value) const {
  Value* written = plain_.at(unit);
  const std::size_t maker = units_.maker(value);
  return shared_.of(value) == shared_.of(written) && (maker == none || maker < unit) &&
         aliases_.mayContainAlias(value, written);
}

} // namespace model_validator::partition
