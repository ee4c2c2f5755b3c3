#include "connected_graph/torchscript/cached_state.h"

#include "connected_graph/torchscript/cache_fill.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace model_validator::torchscript {
namespace {

// Finding out whether a write only caches something takes a pass over the whole model for each `if`
// around it. Beyond these bounds, which no sensible network reaches, everything counts as state.
constexpr std::size_t most_examined = 64;
constexpr int most_guards = 8; ///< around one write
constexpr int most_rounds = 8;

using StateNode = StateFacts::Node;
using Key = StateFacts::Key;
using Write = StateFacts::Write;
using Reached = Dependence::Reached;

bool touch(const std::set<Key>& some, const std::set<Key>& others) {
  return std::any_of(some.begin(), some.end(),
                     [&](const Key& key) { return others.contains(key); });
}

class Memory {
public:
  Memory(const StateFacts& facts, StateNode results)
      : facts_(facts), graph_(over_calls(facts)), results_(results) {}

  std::set<Key> remembered(std::set<Key> candidates) {
    bool stable = false;
    for (int round = 0; !stable; ++round) {
      if (round == most_rounds) return {};
      remembered_ = std::move(candidates);
      find_relevant();
      candidates = remembered_;
      std::erase_if(candidates, [&](const Key& key) { return !only_remembers(key); });
      stable = candidates.size() == remembered_.size();
    }
    return remembered_;
  }

private:
  bool within(std::size_t arm, std::size_t outer) const {
    while (arm != StateFacts::outside && arm != outer) arm = facts_.arms[arm].around;
    return arm == outer;
  }

  /// Attributes that are written in the branch.
  std::set<Key> written_in(std::size_t arm) const {
    std::set<Key> keys;
    for (const Write& write : facts_.writes)
      if (within(write.arm, arm)) keys.insert(write.key);
    return keys;
  }

  Reached behind(StateNode node) const {
    Dependence::Limits limits;
    limits.closed = closed_;
    return facts_.graph.reached(std::span(&node, 1), limits);
  }

  const Reached& behind_condition(std::size_t guard) {
    const auto [known, fresh] = conditions_.try_emplace(guard);
    if (fresh)
      known->second = facts_.graph.reached(std::span(&facts_.guards[guard].decides, 1), {});
    return known->second;
  }

  /// The innermost `if` around a write whose condition examines the value cached there.
  std::size_t guard_of(const Write& write) {
    std::size_t arm = write.arm;
    for (int n = 0; n < most_guards && arm != StateFacts::outside;
         ++n, arm = facts_.arms[arm].around) {
      const std::size_t guard = facts_.arms[arm].guard;
      if (facts_.guards[guard].loop) continue;
      const Reached& looked_at = behind_condition(guard);
      for (const Key& key : written_in(arm))
        if (remembered_.contains(key) && looked_at.has(facts_.attributes.at(key).before))
          return guard;
    }
    return StateFacts::outside;
  }

  void find_relevant() {
    Dependence::Limits limits;
    limits.closed.assign(graph_.next(), false);
    guards_.clear();
    for (const Write& write : facts_.writes) {
      const bool remembers = remembered_.contains(write.key);
      guards_.push_back(remembers ? guard_of(write) : StateFacts::outside);
      if (guards_.back() != StateFacts::outside)
        limits.closed[facts_.guards[guards_.back()].decides] = true;
    }
    relevant_ = graph_.reached(std::span(&results_, 1), limits);
    closed_ = std::move(limits.closed);
  }

  bool only_remembers(const Key& key) {
    const std::optional<StateNode> filled_from = first_filled(key);
    for (std::size_t i = 0; i < facts_.writes.size(); ++i) {
      const Write& write = facts_.writes[i];
      if (write.key != key) continue;
      const std::size_t guard = guards_[i];
      if (guard == StateFacts::outside || !comes_from_file(write, guard) ||
          !changes_nothing_else(guard) || read_before(key, facts_.guards[guard], filled_from))
        return false;
    }
    return true;
  }

  bool comes_from_file(const Write& write, std::size_t guard) {
    const Reached sources = behind(write.stored);
    for (const auto& [key, attribute] : facts_.attributes)
      if (sources.has(attribute.before) && is_written(key) &&
          (key == write.key || !remembered_.contains(key)))
        return false;
    const auto is_reached = [](const std::vector<bool>& set) {
      return [&set](StateNode node) { return set[node]; };
    };
    const auto& inputs = facts_.inputs;
    if (std::any_of(inputs.begin(), inputs.end(), is_reached(sources.by_data))) return false;
    if (std::none_of(inputs.begin(), inputs.end(), is_reached(sources.by_shape))) return true;
    const Reached& looked_at = behind_condition(guard);
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](StateNode node) { return looked_at.has(node); });
  }

  bool is_written(const Key& key) const {
    return std::any_of(facts_.writes.begin(), facts_.writes.end(),
                       [&](const Write& write) { return write.key == key; });
  }

  bool changes_nothing_else(std::size_t number) const {
    const StateFacts::Guard& guard = facts_.guards[number];
    const auto relevant = [&](StateNode node) { return relevant_.has(node); };
    if (std::any_of(guard.changed.begin(), guard.changed.end(), relevant)) return false;
    for (const StateFacts::Choice& choice : guard.choices)
      if (relevant(choice.node) && !is_remembered(choice, number)) return false;
    return std::none_of(facts_.writes.begin(), facts_.writes.end(), [&](const Write& write) {
      return decided_by(write, number) && !remembered_.contains(write.key) &&
             relevant(facts_.attributes.at(write.key).before);
    });
  }

  bool decided_by(const Write& write, std::size_t guard) const {
    for (std::size_t arm = write.arm; arm != StateFacts::outside; arm = facts_.arms[arm].around)
      if (facts_.arms[arm].guard == guard) return true;
    return false;
  }

  /// Whether a choice is between the cached value and the one being stored.
  bool is_remembered(const StateFacts::Choice& choice, std::size_t guard) const {
    const auto stored = [&](std::size_t side) {
      return std::any_of(facts_.writes.begin(), facts_.writes.end(), [&](const Write& write) {
        const auto& sources = write.sources;
        return decided_by(write, guard) && remembered_.contains(write.key) &&
               std::find(sources.begin(), sources.end(), choice.values[side]) != sources.end();
      });
    };
    return (touch(choice.held[0], remembered_) || stored(0)) &&
           (touch(choice.held[1], remembered_) || stored(1));
  }

  bool read_before(const Key& key, const StateFacts::Guard& guard,
                   std::optional<StateNode> filled_from) const {
    return std::any_of(facts_.readings.begin(), facts_.readings.end(), [&](const auto& reading) {
      if (reading.entry && filled_from && *filled_from <= reading.reader) return false;
      return reading.key == key && reading.reader < guard.begin && relevant_.has(reading.reader);
    });
  }

  /// Where the first guard of a dict begins that one node alone fills, with entries that never
  /// change.
  std::optional<StateNode> first_filled(const Key& key) const {
    std::optional<StateNode> first;
    const torch::jit::Node* fills = nullptr;
    for (std::size_t i = 0; i < facts_.writes.size(); ++i) {
      const Write& write = facts_.writes[i];
      if (write.key != key) continue;
      if (!write.node || guards_[i] == StateFacts::outside || (fills && write.node != fills))
        return std::nullopt;
      fills = write.node;
      const StateNode begin = facts_.guards[guards_[i]].begin;
      first = std::min(first.value_or(begin), begin);
    }
    return fills && fills_cache(*fills) ? first : std::nullopt;
  }

  const StateFacts& facts_;
  Dependence graph_;
  StateNode results_;
  std::set<Key> remembered_;
  std::vector<bool> closed_;        ///< the conditions that examine the cached value
  std::vector<std::size_t> guards_; ///< per write
  std::map<std::size_t, Reached> conditions_;
  Reached relevant_;
};

} // namespace

Dependence over_calls(const StateFacts& facts) {
  Dependence graph = facts.graph;
  for (const Write& write : facts.writes)
    graph.add_edge(facts.attributes.at(write.key).before, write.after);
  return graph;
}

std::set<Key> cached_state(const StateFacts& facts, StateNode results, std::set<Key> candidates) {
  if (facts.writes.size() > most_examined) return {};
  return Memory(facts, results).remembered(std::move(candidates));
}

} // namespace model_validator::torchscript
