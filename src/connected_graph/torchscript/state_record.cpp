#include "connected_graph/torchscript/state_record.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

constexpr int max_bases = 64; ///< views of views
// Views of views, choices of choices. Anything deeper is not followed: in a file, a value could be
// any of very many others.
constexpr int max_sharing_depth = 8;
constexpr std::size_t max_shared = 16; ///< that one value may be

using How = Dependence::How;

} // namespace

bool HeldValues::add(const Abstract& value, const Key& key) {
  return keys_.try_emplace(value.get(), key).second;
}

void HeldValues::share(const Abstract& part, const Abstract& whole) {
  if (!part || part == whole || keys_.empty() || shared_.count(part.get()) >= max_shared) return;
  if (attributes_of(whole).empty()) return;
  shared_.emplace(part.get(), whole);
  alive_.push_back(part);
}

bool HeldValues::is_held_by(const Abstract& value, const Key& key) const {
  const auto found = keys_.find(value.get());
  return found != keys_.end() && found->second == key;
}

bool HeldValues::may_be_held(const Abstract& value) const {
  return keys_.contains(value.get()) || shared_.contains(value.get()) ||
         !value->alternatives.empty();
}

HeldValues::Attributes HeldValues::attributes_of(const Abstract& value) const {
  Attributes found;
  if (!keys_.empty()) collect(value, true, max_sharing_depth, found);
  return found;
}

void HeldValues::collect(const Abstract& value, bool whole, int depth, Attributes& found) const {
  if (!value || depth == 0) return;
  if (const auto key = keys_.find(value.get()); key != keys_.end())
    found.emplace_back(key->second, whole);
  const auto [begin, end] = shared_.equal_range(value.get());
  for (auto shared = begin; shared != end; ++shared)
    collect(shared->second, false, depth - 1, found);
  for (const auto& [literal, alternative] : value->alternatives)
    collect(alternative, false, depth - 1, found);
}

StateFacts::Attribute& StateRecord::attribute(const Key& key, ModuleId module) {
  const auto [entry, fresh] = facts_.attributes.try_emplace(key);
  if (fresh) entry->second = {module, add(), false};
  return entry->second;
}

void StateRecord::add_input(const Abstract& value) {
  Parts parts;
  collect(value, parts);
  facts_.inputs.insert(facts_.inputs.end(), parts.nodes.begin(), parts.nodes.end());
}

void StateRecord::collect(const Abstract& value, Parts& parts) const {
  if (!value || !parts.seen.insert(value.get()).second) return;
  if (value->node != Dependence::nothing) parts.nodes.insert(value->node);
  for (const auto& [key, whole] : held_.attributes_of(value))
    if (!replaced_.contains({key, false})) parts.before.insert(key);
  if (value->items())
    for (const Abstract& item : value->items()->values) collect(item, parts);
  if (value->fields())
    for (const auto& [name, field] : *value->fields()) collect(field, parts);
  const AbstractValue* base = value->base.get();
  for (int links = 0; base && links < max_bases; ++links, base = base->base.get())
    if (base->node != Dependence::nothing) parts.nodes.insert(base->node);
}

StateRecord::Node StateRecord::read(const Abstract& value) {
  if (!value->items() && !value->fields() && !value->base && !held_.may_be_held(value))
    return value->node;
  Parts parts;
  collect(value, parts);
  return read(parts);
}

StateRecord::Node StateRecord::read_itself(const Abstract& value) {
  if (!value->items()) return read(value);
  Parts parts;
  if (value->node != Dependence::nothing) parts.nodes.insert(value->node);
  for (const auto& [key, whole] : held_.attributes_of(value))
    if (!replaced_.contains({key, false})) parts.before.insert(key);
  return read(parts);
}

StateRecord::Node StateRecord::read(const Parts& parts) {
  if (parts.before.empty() && parts.nodes.size() < 2)
    return parts.nodes.empty() ? Dependence::nothing : *parts.nodes.begin();
  const Node reader = add();
  for (const Node node : parts.nodes) facts_.graph.add_edge(reader, node);
  for (const Key& key : parts.before)
    facts_.graph.add_edge(reader, facts_.attributes.at(key).before);
  return reader;
}

void StateRecord::compute(const Abstract& value, Node begin, std::span<const Node> sources,
                          How how) {
  std::set<const AbstractValue*> seen;
  const auto is_something = [](Node source) { return source != Dependence::nothing; };
  if (std::any_of(sources.begin(), sources.end(), is_something))
    compute(value, begin, sources, how, seen);
}

void StateRecord::compute(const Abstract& value, Node begin, std::span<const Node> sources, How how,
                          std::set<const AbstractValue*>& seen) {
  if (!value || value->known() || !seen.insert(value.get()).second) return;
  if (value->node >= begin)
    for (const Node source : sources) facts_.graph.add_edge(value->node, source, how);
  if (value->items() && value->node == Dependence::nothing)
    for (const Abstract& item : value->items()->values) compute(item, begin, sources, how, seen);
}

void StateRecord::hold(const Abstract& value, const Key& key, ModuleId module) {
  attribute(key, module);
  if (!value || value->object() || !held_.add(value, key)) return;
  values_[key].push_back(value);
  for (const StateFacts::Write& write : facts_.writes)
    if (write.key == key) facts_.graph.add_edge(value->node, write.after);
  if (!value->items()) return;
  for (const Abstract& item : value->items()->values) hold(item, key, module);
}

/// The open arm decides whether the node is created.
void StateRecord::decide(Node node) {
  if (arm_ != StateFacts::outside)
    facts_.graph.add_edge(node, facts_.arms[arm_].decided, How::decision);
}

void StateRecord::assign(const Key& key, ModuleId module, const Abstract& value, StateWrite place) {
  attribute(key, module);
  const Node stored = add();
  const Node after = add();
  facts_.graph.add_edge(stored, read(value));
  facts_.graph.add_edge(after, stored);
  decide(after);
  for (const Abstract& known : values_[key]) { // set on this path only: it may be either
    const Node either = add();
    facts_.graph.add_edge(either, known->node);
    facts_.graph.add_edge(either, after);
    known->node = either;
  }
  facts_.writes.push_back({key, std::move(place), stored, after, arm_});
  replaced_.add({key, true});
}

Abstract StateRecord::set_value(const Key& key, const AbstractValue& known) {
  auto value = std::make_shared<AbstractValue>(known);
  value->node = add();
  for (const StateFacts::Write& write : facts_.writes)
    if (write.key == key) facts_.graph.add_edge(value->node, write.after);
  return value;
}

/// From now on the value is what was stored into it. If it is older than the arm that stores, the
/// arm's condition decides what it is.
StateRecord::Node StateRecord::change(const Abstract& value, Node stored, Overwrite overwrite) {
  const Node old = overwrite == Overwrite::whole ? Dependence::nothing : read_itself(value);
  const Node now = add();
  facts_.graph.add_edge(now, stored);
  facts_.graph.add_edge(now, old);
  decide(now);
  value->node = now;
  return now;
}

void StateRecord::write(const Abstract& value, std::span<const Node> sources,
                        const StateWrite& place, Overwrite overwrite) {
  const Node stored = add();
  for (const Node source : sources) facts_.graph.add_edge(stored, source);
  if (overwrite == Overwrite::part) facts_.graph.add_edge(stored, read_itself(value));
  const HeldValues::Attributes held = held_.attributes_of(value);
  const Node after = change(value, stored, overwrite);
  Abstract base = value->base;
  for (int links = 0; base && links < max_bases; ++links, base = base->base)
    change(base, after, Overwrite::part);
  for (const auto& [literal, alternative] : value->alternatives)
    change(alternative, after, Overwrite::part);
  for (const auto& [key, whole] : held) {
    if (overwrite == Overwrite::whole && whole) replaced_.add({key, false});
    facts_.writes.push_back({key, place, stored, after, arm_});
    facts_.writes.back().place.in_place = true;
  }
}

std::size_t StateRecord::begin_guard(Node condition, bool loop) {
  const Node decides = add();
  facts_.graph.add_edge(decides, condition);
  facts_.guards.push_back({decides, loop});
  return facts_.guards.size() - 1;
}

void StateRecord::add_condition(std::size_t guard, Node more) {
  facts_.graph.add_edge(facts_.guards[guard].decides, more);
}

void StateRecord::decide_by(std::size_t guard, const Abstract& value) {
  facts_.graph.add_edge(value->node, facts_.guards[guard].decides, How::decision);
}

void StateRecord::enter_arm(std::size_t guard) {
  const Node decided = add();
  facts_.graph.add_edge(decided, facts_.guards[guard].decides, How::decision);
  decide(decided);
  facts_.arms.push_back({guard, arm_, decided});
  arm_ = facts_.arms.size() - 1;
}

void StateRecord::choose(std::size_t guard, const Abstract& value, const Abstract& a,
                         const Abstract& b) {
  if (value == a || value == b || value->node == Dependence::nothing) return;
  for (const Abstract& either : {a, b}) facts_.graph.add_edge(value->node, read(either));
  decide_by(guard, value);
}

} // namespace model_validator::torchscript
