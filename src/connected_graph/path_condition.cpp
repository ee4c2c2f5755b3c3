#include "connected_graph/path_condition.h"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace model_validator {
namespace {

using Events = std::vector<WeightedCondition>;
/// Literals examined before assuming that all events can happen.
constexpr std::size_t literal_budget = std::size_t{1} << 23U;

std::size_t saturating_sum(std::size_t a, std::size_t b) {
  return a > std::numeric_limits<std::size_t>::max() - b ? std::numeric_limits<std::size_t>::max()
                                                         : a + b;
}

std::size_t total(const Events& events) {
  return std::accumulate(
      events.begin(), events.end(), std::size_t{0},
      [](std::size_t sum, const WeightedCondition& e) { return saturating_sum(sum, e.times); });
}

std::size_t literals_in(const Events& events) {
  return std::accumulate(
      events.begin(), events.end(), events.size(),
      [](std::size_t sum, const WeightedCondition& e) { return sum + e.condition.size(); });
}

/// The events that remain after `known` is decided, without that literal.
Events decided(const Events& events, const Literal& known) {
  Events rest;
  for (const WeightedCondition& event : events) {
    WeightedCondition copy{{}, event.times};
    bool possible = true;
    for (const Literal& literal : event.condition) {
      if (literal.decision != known.decision)
        copy.condition.push_back(literal);
      else
        possible = possible && literal.then == known.then;
    }
    if (possible) rest.push_back(std::move(copy));
  }
  return rest;
}

/// Groups of events that share no decision with one another.
std::vector<Events> independent_groups(const Events& events) {
  std::map<std::size_t, std::size_t> first_event;
  std::vector<std::size_t> rank(events.size());
  std::vector<std::size_t> parent(events.size());
  boost::disjoint_sets sets(rank.data(), parent.data());
  for (std::size_t i = 0; i < events.size(); ++i) sets.make_set(i);
  for (std::size_t i = 0; i < events.size(); ++i)
    for (const Literal& literal : events[i].condition) {
      const auto [known, fresh] = first_event.try_emplace(literal.decision, i);
      if (!fresh) sets.union_set(i, known->second);
    }
  std::map<std::size_t, Events> groups;
  for (std::size_t i = 0; i < events.size(); ++i) groups[sets.find_set(i)].push_back(events[i]);
  std::vector<Events> result;
  for (auto& [representative, group] : groups) result.push_back(std::move(group));
  return result;
}

std::size_t most_frequent_decision(const Events& events) {
  std::map<std::size_t, std::size_t> uses;
  for (const WeightedCondition& event : events)
    for (const Literal& literal : event.condition) ++uses[literal.decision];
  return std::max_element(uses.begin(), uses.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::size_t largest(const Events& events, std::size_t& budget);

std::size_t largest_in_group(const Events& group, std::size_t& budget) {
  if (group.size() == 1) return group.front().times;
  const std::size_t cost = literals_in(group);
  if (cost >= budget) return total(group);
  budget -= cost;
  const std::size_t decision = most_frequent_decision(group);
  return std::max(largest(decided(group, {decision, true}), budget),
                  largest(decided(group, {decision, false}), budget));
}

std::size_t largest(const Events& events, std::size_t& budget) {
  Events conditional;
  std::size_t sum = 0;
  for (const WeightedCondition& event : events) {
    if (event.condition.empty())
      sum = saturating_sum(sum, event.times);
    else
      conditional.push_back(event);
  }
  for (const Events& group : independent_groups(conditional))
    sum = saturating_sum(sum, largest_in_group(group, budget));
  return sum;
}

} // namespace

bool compatible(const PathCondition& a, const PathCondition& b) {
  return std::none_of(a.begin(), a.end(), [&](const Literal& x) {
    return std::any_of(b.begin(), b.end(), [&](const Literal& y) {
      return x.decision == y.decision && x.then != y.then;
    });
  });
}

std::size_t largest_total(const std::vector<WeightedCondition>& events) {
  std::size_t budget = literal_budget;
  return largest(events, budget);
}

} // namespace model_validator
