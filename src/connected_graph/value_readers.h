#pragma once

#include <model_validator/connected_graph.h>

#include <cstdint>
#include <vector>

namespace model_validator {

/// Whether an op is a query that looks at the values of a tensor of the model, not at its size,
/// dtype or device.
bool reads_values(const ConnectedGraph& graph, OpId op);

/// The numbers of a graph that only a run gives: those read of the values of a tensor, the sizes
/// that follow from values, as of what a mask picks, and what is computed from either.
class NumbersOfData {
public:
  explicit NumbersOfData(const ConnectedGraph& graph);

  /// The op by which data comes into the number that a query yields; `none` where none does.
  OpId source(OpId query) const { return numbers_[query]; }

  /// The same of the condition of an `if`, or of what says how often a loop runs.
  OpId source_of_condition(OpId control_flow) const;

private:
  /// Axes of a tensor, a bit each, the last for any.
  using Axes = std::uint64_t;
  struct Sizes {
    Axes axes = 0;
    OpId source = none;
  };

  /// @returns whether something new is known of it
  bool look_at(OpId id);
  bool has_settled_operand(OpId id) const;
  void look_at_query(OpId id);
  void look_at_tensor(OpId id);
  void join(OpId id, Sizes sizes);

  const ConnectedGraph& graph_;
  std::vector<OpId> numbers_;
  std::vector<Sizes> sizes_;
};

/// Of each op, whether all that comes of its result is a decision of an `if` or a loop, as of the
/// `gt` in `if x.sum() > 0`.
std::vector<bool> ops_that_only_decide(const ConnectedGraph& graph);

} // namespace model_validator
