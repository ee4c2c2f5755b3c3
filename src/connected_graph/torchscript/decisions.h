#pragma once

#include "connected_graph/torchscript/values.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace model_validator::torchscript {

/// What is known about a condition, and what each branch would decide.
struct Decision {
  std::optional<bool> known;
  PathCondition then_path;
  PathCondition else_path;
  std::size_t guard = StateFacts::outside; ///< if it is not known
};

/// Identifies the conditions of a walk: those that are certainly equal are one decision.
class Decisions {
public:
  Decisions(WalkContext& context, Values& values) : context_(context), values_(values) {}

  Decision decide(const Abstract& condition);
  /// A decision unlike any other. @return its number
  std::size_t fresh() { return number_of(values_.next_number()); }
  /// The value after an `if` whose branches yield `a` and `b`.
  /// @param output  of the `if`'s op; advanced by the number of outputs the value has
  Abstract join(const Abstract& a, const Abstract& b, const Decision& decision, OpId op,
                std::size_t& output);

private:
  std::size_t number_of(std::uint64_t condition) {
    return numbers_.try_emplace(condition, numbers_.size()).first->second;
  }
  Abstract choose(const Abstract& a, const Abstract& b, const Decision& decision);

  WalkContext& context_;
  Values& values_;
  std::map<std::uint64_t, std::size_t> numbers_;
};

/// Adds to a path what it does not say yet.
void append(PathCondition& path, const PathCondition& more);

} // namespace model_validator::torchscript
