#include "connected_graph/torchscript/state_facts.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

// Each `if` around a write takes a pass over the whole model. Beyond these bounds, which no
// sensible network reaches, no attribute counts as filled in.
constexpr std::size_t max_examined = 64;
constexpr int max_guards = 8; ///< around one write

using StateNode = StateFacts::Node;
using Key = StateFacts::Key;
using Write = StateFacts::Write;
using Reached = Dependence::Reached;

/// The dependences with what a call leaves in an attribute flowing into what the next one finds
/// there.
Dependence over_calls(const StateFacts& facts) {
  Dependence graph = facts.graph;
  for (const Write& write : facts.writes)
    graph.add_edge(facts.attributes.at(write.key).before, write.after);
  return graph;
}

/// Whether the new value is computed from the old: a counter, a growing list.
bool accumulates(const StateFacts& facts, const Write& write) {
  const Reached sources =
      facts.graph.reached(std::span(&write.stored, 1), Dependence::Follow::values);
  return sources.has(facts.attributes.at(write.key).before);
}

bool is_in(const StateFacts& facts, const Write& write, std::size_t arm) {
  std::size_t around = write.arm;
  while (around != StateFacts::outside && around != arm) around = facts.arms[around].around;
  return around == arm;
}

/// Whether an `if` around the write has looked at what the call found in an attribute that is
/// written there.
bool is_behind_a_look(const StateFacts& facts, const Write& write) {
  std::size_t arm = write.arm;
  for (int n = 0; n < max_guards && arm != StateFacts::outside; ++n, arm = facts.arms[arm].around) {
    const StateFacts::Guard& guard = facts.guards[facts.arms[arm].guard];
    if (guard.loop) continue;
    const Reached seen = facts.graph.reached(std::span(&guard.decides, 1), Dependence::Follow::all);
    const bool looked = std::any_of(facts.writes.begin(), facts.writes.end(), [&](const auto& it) {
      return is_in(facts, it, arm) && seen.has(facts.attributes.at(it.key).before);
    });
    if (looked) return true;
  }
  return false;
}

/// Attributes that are only filled in, as caches are: behind an `if` that has looked whether they
/// are, with what follows from weights, constants and sizes. `verify` shows whether results depend
/// on when that was.
std::set<Key> filled_in(const StateFacts& facts, const Dependence& graph) {
  std::set<Key> filled;
  std::set<Key> others;
  if (facts.writes.size() > max_examined) return filled;
  for (const Write& write : facts.writes) {
    const Reached sources = graph.reached(std::span(&write.stored, 1), Dependence::Follow::all);
    const bool from_data = std::any_of(facts.inputs.begin(), facts.inputs.end(),
                                       [&](StateNode input) { return sources.by_data[input]; });
    const bool fills = !from_data && !accumulates(facts, write) && is_behind_a_look(facts, write);
    (fills ? filled : others).insert(write.key);
  }
  std::erase_if(filled, [&](const Key& key) { return others.contains(key); });
  return filled;
}

} // namespace

std::vector<StateWrite> kept_state(const StateFacts& facts, StateNode results) {
  if (facts.writes.empty()) return {};
  const Dependence graph = over_calls(facts);
  const Reached relevant = graph.reached(std::span(&results, 1), Dependence::Follow::all);
  const std::set<Key> filled = filled_in(facts, graph);
  std::set<Key> read;
  for (const Write& write : facts.writes)
    if (relevant.has(facts.attributes.at(write.key).before) || accumulates(facts, write))
      read.insert(write.key);
  std::vector<StateWrite> writes;
  for (const Write& write : facts.writes) {
    const StateFacts::Attribute& attribute = facts.attributes.at(write.key);
    const bool for_others = write.place.in_place || !attribute.looked_at;
    if (!read.contains(write.key) && !for_others) continue;
    StateWrite& kept = writes.emplace_back(write.place);
    kept.module = attribute.module;
    kept.attribute = write.key.second;
    kept.read = read.contains(write.key);
    kept.filled = kept.read && filled.contains(write.key);
  }
  return writes;
}

} // namespace model_validator::torchscript
