#pragma once

#include <cstddef>
#include <vector>

namespace model_validator {

/// One outcome of one decision: `if` number `decision` took its then branch, or its else branch.
struct Literal {
  std::size_t decision = 0;
  bool then = true;
  friend bool operator==(const Literal&, const Literal&) = default;
};

/// What must have been decided, and how, for a place to be reached. All literals hold together.
using PathCondition = std::vector<Literal>;

/// Whether some run can reach both places.
bool compatible(const PathCondition& a, const PathCondition& b);

/// An event that happens `times` times whenever its condition holds.
struct WeightedCondition {
  PathCondition condition;
  std::size_t times = 1;
};

/// The largest number of events that one run can see.
///
/// Exact: decisions that share no event are independent and add up; the others are tried both ways.
/// If that would take more than about 2^16 steps, the answer is an upper bound that treats the
/// remaining events as if they could all happen.
std::size_t largest_total(const std::vector<WeightedCondition>& events);

} // namespace model_validator
