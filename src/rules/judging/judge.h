#pragma once

#include "rules/judging/file_form.h"

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <optional>
#include <string>
#include <vector>

namespace model_validator::rules {

/// Why a target cannot take an operator.
struct Refusal {
  std::string name;        ///< as the target calls it: `aten::fft_fft2`
  std::string reason;      ///< the target's own words
  std::string replacement; ///< what the target can take instead; empty where it is not known
  Mishap mishap = Mishap::refused; ///< what happens where it is tried
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

/// Whether a target lists operators of ONNX files (`onnx::Conv`). One that does not is a table of
/// PyTorch's and says nothing of them.
bool lists_onnx_operators(const TargetProfile& profile);

/// Whether a target's table covers the operators of a graph's format. One of ONNX files says
/// nothing of PyTorch's operators, and the other way round.
bool knows_format(const TargetProfile& profile, const ConnectedGraph& graph);

/// The table of a target for a graph's format; the profile itself where there is no better one.
const TargetProfile& table_for(const TargetProfile& target, const ConnectedGraph& graph);

/// Whether a target takes one operator; nothing when it does, or when that cannot be known.
std::optional<Refusal> judge(const TargetProfile& profile, const Operator& op);

/// Whether a target takes an operator of that name with some arguments: only those of its
/// constraints are checked that are on a known attribute.
std::optional<Refusal> judge_entry(const TargetProfile& profile, const Operator& op);

/// What is known about whether a target takes one operator.
struct Judgement {
  std::string name;   ///< as the target calls it; empty for what is not an operator
  std::string schema; ///< as the file calls it
  std::optional<Refusal> refusal;
  std::vector<std::string> undetermined; ///< conditions that the file does not decide
  std::string evidence;                  ///< the entry that speaks for it
  bool by_plugin = false;                ///< one of the user's provides it
  /// Why nobody knows; empty of a custom operator, which was not asked about.
  std::optional<std::string> unknown = {};
};

/// The same for a vertex: each operator of its body, or the operator that it is, in the form that
/// the target reads. For a target that knows module classes the class of a module op is judged.
std::vector<Judgement> judgements(const TargetProfile& profile, const ConnectedGraph& graph,
                                  const FileForm& form, OpId op);

} // namespace model_validator::rules
