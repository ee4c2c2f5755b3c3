#pragma once

#include "connected_graph/torchscript/node_map.h"

#include <model_validator/connected_graph.h>
#include <model_validator/verify/interpreter.h>

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::verify {

/// The names of attributes in which the next run may find other sizes: what a run leaves there is
/// set, or a list or dict, or was resized, or another attribute that holds the same.
std::set<std::string> changing_attributes(const torch::jit::Module& module,
                                          const std::vector<StateWrite>& state_writes);

/// Notes the shapes and dtypes of a run that follow from those of its inputs alone, as the sizes,
/// lengths and dtypes that the code asks for. What is asked for in a loop counts once the loop has
/// ended: a round that was not run may give another answer.
class KnownSizes {
public:
  using Context = torchscript::NodeMap::Context;

  /// @param notes     null where nobody asks
  /// @param changing  attributes in which the next run may find other sizes
  KnownSizes(torchscript::NodeMap* notes, std::set<std::string> changing);

  /// A run begins.
  void begin();
  /// An attribute is read.
  void read_attribute(const torch::jit::Node& node);
  /// An operator is about to run.
  void before(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs);
  void note(Context context, const Step& step);
  /// The call runs until `leave`.
  void enter(const torch::jit::Node& call);
  void leave() { repeats_.pop_back(); }
  /// The loop has run to its end.
  void end_loop(const torch::jit::Node& loop);

private:
  bool repeats(const torch::jit::Node& node) const;

  torchscript::NodeMap* notes_;
  std::set<std::string> changing_;
  bool values_matter_ = false; ///< sizes may follow from values, or from state, by now
  std::vector<bool> repeats_;  ///< of each call that runs, whether it stands in a loop
  /// What was asked for in loops that still run: the answer, or two of them where they differed.
  std::map<std::pair<Context, const torch::jit::Value*>, std::vector<c10::IValue>> pending_;
};

} // namespace model_validator::verify
