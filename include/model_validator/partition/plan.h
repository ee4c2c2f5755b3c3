#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/model.h>
#include <model_validator/target_profile.h>
#include <model_validator/verdict.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::partition {

/// Limits on how a graph may be cut that its products do not show.
struct Constraints {
  /// Ops that must share a partition: one writes a tensor in place that another reads, or a value
  /// passes between them that no file can carry.
  std::vector<std::vector<OpId>> inseparable;
  /// The first runs before the second: it makes what the second reads, or both draw random numbers
  /// or have side effects.
  std::vector<std::pair<OpId, OpId>> order;
  /// Ops that leave nothing to run: no result depends on them, or they return their input, like a
  /// dropout that is off. They are in no partition.
  std::vector<OpId> absent;
};

struct Options {
  std::vector<TargetProfile> targets; ///< at most 31, preferred first
  std::string fallback = "eager";     ///< what takes the ops that no target takes
  std::size_t smallest = 1;           ///< a target's partition of fewer ops falls back
  std::size_t gains = 10;             ///< for how many operators to compute the gain
};

/// A part of the graph that one target compiles.
struct Partition {
  std::size_t target = 0;   ///< index into Options::targets; their count stands for the fallback
  std::vector<OpId> ops;    ///< in execution order, without the queries carried along
  std::size_t op_count = 0; ///< how many of them compute
  std::uint64_t multiply_accumulates = 0;
  std::vector<std::string> inputs;  ///< values that other partitions, or the caller, pass to it
  std::vector<std::string> outputs; ///< values that others, or the caller, take from it
};

/// An operator that a target refuses, so that ops do not run there.
struct Obstacle {
  std::string name;       ///< as the target calls it: `aten::fft_fft2`
  std::size_t target = 0; ///< the one that refuses
  std::string reason;     ///< in the target's own words
  bool unknown = false;   ///< nobody knows whether it refuses it
  std::string help;       ///< what the target takes instead; empty if unknown
  std::vector<OpId> ops;
};

/// Why an op runs on a less preferred target than the one that would take it.
struct HeldBack {
  OpId op = none;
  std::size_t target = 0; ///< the one that would take it
  OpId because = none;    ///< the op it cannot be separated from; none: its partition was too small
};

/// What would change if a target took one more operator.
struct Gain {
  std::string name;
  std::size_t target = 0;
  std::size_t partitions = 0;             ///< how many there would be
  std::size_t ops = 0;                    ///< how many would move to a more preferred target
  std::uint64_t multiply_accumulates = 0; ///< of them
};

/// How a graph is divided among targets.
///
/// Each op goes to the first target that takes it, else to the fallback. Queries (sizes, numbers,
/// lists) are not assigned: each is placed with its readers. The partitions are in an order in
/// which they can run one after the other: none reads what a later one makes, so each is convex.
/// With one target and a fallback their number is minimal; with more targets it is the smallest
/// found, and `fewest` says whether that is proved minimal.
struct Plan {
  std::vector<std::string> targets; ///< names, the fallback last
  std::vector<Partition> partitions;
  /// The partition of each op. For a query carried along, the first that can compute it: it is
  /// recomputed wherever it is needed. None for inputs, outputs and constants.
  std::vector<std::size_t> partition_of;
  bool fewest = false;
  std::size_t op_count = 0;
  std::vector<VerdictCounts> verdicts; ///< one per target, without the fallback
  std::vector<Obstacle> obstacles;     ///< the one that affects the most ops first
  std::vector<HeldBack> held_back;
  std::vector<Gain> gains; ///< largest first; those that change nothing are left out
  MultiplyAccumulates multiply_accumulates;
};

/// Divides a graph, in time linear in its size for each operator whose gain is asked for.
/// @throws Error (`no-ops`) for a model that computes nothing, (`wrong-format`) for a target that
/// does not cover the operators of the model's format, (`too-many-targets`)
Plan make_plan(const ConnectedGraph& graph, const Constraints& constraints, const Options& options);

} // namespace model_validator::partition
