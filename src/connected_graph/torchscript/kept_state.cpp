#include "connected_graph/torchscript/state_record.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

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

/// Finds attributes that are only filled in, as caches are: behind an `if` that has looked whether
/// they are, with what follows from weights, constants and sizes. `verify` shows whether results
/// depend on when that was.
class FilledIn {
public:
  FilledIn(const StateFacts& facts, const Dependence& graph) : facts_(facts), graph_(graph) {}

  /// @param read         attributes that results or state depend on
  /// @param accumulated  those whose new value is computed from the old
  std::set<Key> among(const std::set<Key>& read, const std::set<Key>& accumulated) {
    if (facts_.writes.size() > max_examined) return {};
    std::set<Key> filled;
    std::set_difference(read.begin(), read.end(), accumulated.begin(), accumulated.end(),
                        std::inserter(filled, filled.end()));
    for (const Write& write : facts_.writes)
      if (filled.contains(write.key) && (is_from_data(write) || !is_behind_a_look(write)))
        filled.erase(write.key);
    return filled;
  }

private:
  bool is_from_data(const Write& write) const {
    const Reached sources = graph_.reached(std::span(&write.stored, 1), Dependence::Follow::all);
    return std::any_of(facts_.inputs.begin(), facts_.inputs.end(),
                       [&](StateNode input) { return sources.by_data[input]; });
  }

  bool is_in(const Write& write, std::size_t arm) const {
    std::size_t around = write.arm;
    while (around != StateFacts::outside && around != arm) around = facts_.arms[around].around;
    return around == arm;
  }

  /// What the condition of an `if` has looked at.
  const Reached& seen_by(std::size_t guard) {
    const auto [known, fresh] = seen_.try_emplace(guard);
    if (fresh)
      known->second = facts_.graph.reached(std::span(&facts_.guards[guard].decides, 1),
                                           Dependence::Follow::all);
    return known->second;
  }

  /// Whether an `if` around the write has looked at what the call found in an attribute that is
  /// written there.
  bool is_behind_a_look(const Write& write) {
    std::size_t arm = write.arm;
    for (int n = 0; n < max_guards && arm != StateFacts::outside;
         ++n, arm = facts_.arms[arm].around) {
      const std::size_t guard = facts_.arms[arm].guard;
      if (facts_.guards[guard].loop) continue;
      const Reached& seen = seen_by(guard);
      const bool looked =
          std::any_of(facts_.writes.begin(), facts_.writes.end(), [&](const Write& each) {
            return is_in(each, arm) && seen.has(facts_.attributes.at(each.key).before);
          });
      if (looked) return true;
    }
    return false;
  }

  const StateFacts& facts_;
  const Dependence& graph_;
  std::map<std::size_t, Reached> seen_; ///< by guard
};

} // namespace

std::vector<StateWrite> kept_state(const StateFacts& facts, StateNode results) {
  if (facts.writes.empty()) return {};
  const Dependence graph = over_calls(facts);
  const Reached relevant = graph.reached(std::span(&results, 1), Dependence::Follow::all);
  std::set<Key> accumulated;
  for (const Write& write : facts.writes)
    if (accumulates(facts, write)) accumulated.insert(write.key);
  std::set<Key> read = accumulated;
  for (const Write& write : facts.writes)
    if (relevant.has(facts.attributes.at(write.key).before)) read.insert(write.key);
  const std::set<Key> filled = FilledIn(facts, graph).among(read, accumulated);
  std::vector<StateWrite> writes;
  for (const Write& write : facts.writes) {
    const StateFacts::Attribute& attribute = facts.attributes.at(write.key);
    const bool for_others = write.place.in_place || !attribute.looked_at;
    if (!read.contains(write.key) && !for_others) continue;
    StateWrite& kept = writes.emplace_back(write.place);
    kept.module = attribute.module;
    kept.attribute = write.key.second;
    kept.read = read.contains(write.key);
    kept.filled = filled.contains(write.key);
  }
  return writes;
}

} // namespace model_validator::torchscript
