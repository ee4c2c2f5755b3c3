#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/model.h>
#include <model_validator/target_profile.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::partition {

/// What the products of a graph do not say of how it may be cut.
struct Constraints {
  /// Ops that share a partition: a tensor is written in place between them, or a value that no
  /// file can pass on travels between them.
  std::vector<std::vector<OpId>> inseparable;
  /// The first runs before the second: it makes what the second reads, or both draw random numbers
  /// or have effects outside.
  std::vector<std::pair<OpId, OpId>> order;
  /// Ops that leave nothing to be run: no result depends on them, or they hand on what they are
  /// given, like a dropout that is off. They are in no partition.
  std::vector<OpId> absent;
};

struct Options {
  std::vector<TargetProfile> targets; ///< at most 31, the preferred one first
  std::string fallback = "eager";     ///< what takes the ops that no target takes
  std::size_t smallest = 1;           ///< a target's partition of fewer ops falls back
  std::size_t gains = 10;             ///< for how many operators the gain is worked out
};

/// A part of the graph that one target compiles.
struct Partition {
  std::size_t target = 0;   ///< index into Options::targets; their number stands for the fallback
  std::vector<OpId> ops;    ///< in execution order; without the queries that are carried along
  std::size_t op_count = 0; ///< those of them that compute
  std::uint64_t multiply_accumulates = 0;
  std::vector<std::string> inputs;  ///< values that other partitions, or the caller, pass to it
  std::vector<std::string> outputs; ///< values that others, or the caller, take from it
};

/// An operator that a target refuses, so that ops do not run there.
struct Obstacle {
  std::string name;       ///< as the target calls it: `aten::fft_fft2`
  std::size_t target = 0; ///< the one that refuses
  std::string reason;     ///< in the target's own words
  std::string help;       ///< what the target takes instead; empty where it is not known
  std::vector<OpId> ops;
};

/// Why an op runs on a lesser target than the one that would take it.
struct HeldBack {
  OpId op = none;
  std::size_t target = 0; ///< the one that would take it
  OpId because = none; ///< the op it may not be separated from; none: its partition was too small
};

/// What a target that took one more operator would change.
struct Gain {
  std::string name;
  std::size_t target = 0;
  std::size_t partitions = 0; ///< there would be
  std::size_t ops = 0;        ///< that would move to a target preferred to the one they run on
  std::uint64_t multiply_accumulates = 0; ///< of them
};

/// How many ops a target takes, and of how many that is not sure.
struct VerdictCounts {
  std::size_t taken = 0;
  std::size_t partly = 0;
  std::size_t unknown = 0;
  std::size_t refused = 0;
};

/// How a graph is divided among targets.
///
/// Each op goes to the first target that takes it, else to the fallback. Queries (sizes, numbers,
/// lists) are not asked for: they go with what reads them. The partitions stand in an
/// order in which they can run one after the other: none reads what a later one makes, so each is
/// convex. For one target and a fallback there are as few as any such division has; with more
/// targets as few as was found, and `fewest` says where that is proved to be the least.
struct Plan {
  std::vector<std::string> targets; ///< names, the fallback last
  std::vector<Partition> partitions;
  /// Of each op its partition. Of a query that is carried along, the first in which it can be
  /// computed: it is computed anew wherever it is needed. None for inputs, outputs and constants.
  std::vector<std::size_t> partition_of;
  bool fewest = false;
  std::size_t op_count = 0;
  std::vector<VerdictCounts> verdicts; ///< one a target, without the fallback
  std::vector<Obstacle> obstacles;     ///< the one that concerns most ops first
  std::vector<HeldBack> held_back;
  std::vector<Gain> gains; ///< the largest first; those that change nothing are left out
  MultiplyAccumulates multiply_accumulates;
};

/// Divides a graph. Takes time linear in its size, for each operator whose gain is asked for.
/// @throws Error (`no-ops`) for a model that computes nothing, (`wrong-format`) for a target that
/// does not speak of the operators of the model's format, (`too-many-targets`)
Plan make_plan(const ConnectedGraph& graph, const Constraints& constraints, const Options& options);

} // namespace model_validator::partition
