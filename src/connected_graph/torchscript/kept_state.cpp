#include "connected_graph/torchscript/cached_state.h"

namespace model_validator::torchscript {
namespace {

using StateNode = StateFacts::Node;
using Key = StateFacts::Key;
using Write = StateFacts::Write;
using Reached = Dependence::Reached;

/// Attributes that results of a later call are computed from.
std::set<Key> read_by_results(const StateFacts& facts, StateNode results) {
  const Reached relevant = over_calls(facts).reached(std::span(&results, 1), {});
  std::set<Key> keys;
  for (const Write& write : facts.writes)
    if (relevant.has(facts.attributes.at(write.key).before)) keys.insert(write.key);
  return keys;
}

/// Whether the new value is computed from the old: a counter, a growing list.
bool accumulates(const StateFacts& facts, const Write& write) {
  Dependence::Limits limits;
  limits.decisions = false;
  const Reached sources = facts.graph.reached(std::span(&write.stored, 1), limits);
  return sources.has(facts.attributes.at(write.key).before);
}

} // namespace

std::vector<StateWrite> kept_state(const StateFacts& facts, StateNode results) {
  if (facts.writes.empty()) return {};
  std::set<Key> read = read_by_results(facts, results);
  const std::set<Key> remembered = cached_state(facts, results, read);
  for (const Write& write : facts.writes)
    if (accumulates(facts, write)) read.insert(write.key);
  std::vector<StateWrite> writes;
  for (const Write& write : facts.writes) {
    const StateFacts::Attribute& attribute = facts.attributes.at(write.key);
    const bool for_others = write.place.in_place || !attribute.looked_at;
    if (remembered.contains(write.key) || !(read.contains(write.key) || for_others)) continue;
    StateWrite& kept = writes.emplace_back(write.place);
    kept.module = attribute.module;
    kept.attribute = write.key.second;
    kept.read = read.contains(write.key);
  }
  return writes;
}

} // namespace model_validator::torchscript
