#pragma once

#include "rules/judging/judge.h"

#include <model_validator/program.h>
#include <model_validator/target_profile.h>

#include <cstdint>
#include <vector>

namespace model_validator::rules {

/// What a target says against a part of a graph: one op, or one place of the file that no op stands
/// for.
struct RefusedOp {
  OpId op = none;
  const Operator* operator_of_file = nullptr; ///< where `op` is none; lives as long as the graph
  std::vector<Refusal> refusals;              ///< empty where it is only unknown or undetermined
  const ProgramNode* node = nullptr;          ///< the first of them, of an ONNX file
  std::vector<std::string> unknown;           ///< operators that no target was asked about
  std::vector<std::string> undetermined;      ///< conditions that the file does not decide
  const StateWrite* write = nullptr; ///< state that is lost, where `op` is none; of the graph
};

/// Which graph is handed to a converter.
enum class Handed : std::uint8_t {
  file,     ///< the code of the file, unchanged
  recorded, ///< what ran with the inputs that were given, without branches, loops and lists
};

/// The recorded one where inputs were given and the run completed.
Handed graph_at_hand(const ConnectedGraph& graph);

/// The operators of one op.
struct JudgedOp {
  OpId op = none;
  std::vector<Judgement> operators;
};

/// A target's verdict on every op that its converter sees, by PyTorch's operators.
std::vector<JudgedOp> judge_ops(const TargetProfile& profile, const ConnectedGraph& graph,
                                Handed handed);

/// Judges the graph that the target's converter judges: with dead arms or without, and only
/// operators whose values reach an output where the front end says so. Refusals alone.
std::vector<RefusedOp> judge_graph(const TargetProfile& profile, const ConnectedGraph& graph,
                                   Handed handed);
std::vector<RefusedOp> judge_graph(const TargetProfile& profile, const ConnectedGraph& graph);

} // namespace model_validator::rules
