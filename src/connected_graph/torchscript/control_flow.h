#pragma once

#include "connected_graph/torchscript/decisions.h"
#include "connected_graph/torchscript/op_writer.h"

#include <string>
#include <vector>

namespace model_validator::torchscript {

/// Walks `if` and loops. A branch that cannot run is not entered; for an unknown condition both
/// branches are walked, each in its region. The body of a loop is walked once.
class ControlFlow {
public:
  ControlFlow(WalkContext& context, Values& values, Decisions& decisions, OpWriter& writer,
              NodeNotes& notes, WalkBlock walk_block);

  /// @return false if nothing comes after it
  bool walk_if(const Node& node, Environment& environment);
  void walk_loop(const Node& node, Environment& environment);

private:
  struct Arm;
  struct Trips;
  struct Part; ///< a branch, or a loop body
  bool walk_part(const Part& part, Environment& environment, RegionId& region);
  bool walk_undecided(const Node& node, const Decision& decision, const Abstract& condition,
                      Environment& environment);
  void bind_joined(const Node& node, const Decision& decision, const Abstract& condition,
                   const Arm& then_arm, const Arm& else_arm, Environment& environment);
  static Trips trips_of(const Block& body, const Inputs& inputs);
  Abstract loop_counter(const Trips& trips);
  void walk_loop_body(const Node& node, const Trips& trips, const Inputs& inputs,
                      Environment& environment);
  void begin_loop(const Block& body, const Trips& trips, const Inputs& inputs,
                  Environment& environment);
  void bind_after_loop(const Node& node, const Inputs& first, const Inputs& last, OpId loop,
                       std::size_t guard, Environment& environment);
  Abstract value_after_loop(const Abstract& first, const Abstract& last, const c10::TypePtr& type,
                            OpId loop, std::size_t output);
  OpId emit(const Node& node, const std::string& type, const std::vector<Abstract>& values);

  WalkContext& context_;
  Scope& scope_;
  StateRecord& state_;
  Values& values_;
  Decisions& decisions_;
  OpWriter& writer_;
  NodeNotes& notes_;
  WalkBlock walk_block_;
  std::size_t next_if_ = 0;
  std::size_t next_loop_ = 0;
};

} // namespace model_validator::torchscript
