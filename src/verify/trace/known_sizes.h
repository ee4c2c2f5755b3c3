#pragma once

#include "connected_graph/torchscript/node_map.h"

#include <model_validator/connected_graph.h>
#include <model_validator/verify/interpreter.h>

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::verify {

/// The names of attributes in which the next run may find other sizes: those that a run sets or
/// resizes, lists and dicts that it writes into, and attributes that hold the same value as one of
/// these.
std::set<std::string> changing_attributes(const torch::jit::Module& module,
                                          const std::vector<StateWrite>& state_writes);

/// The shapes and dtypes of runs that follow from those of their inputs alone, as the sizes,
/// lengths and dtypes that the code asks for. What is asked for in a loop counts once the loop has
/// ended: an iteration that was not run may give another answer.
class KnownSizes {
public:
  using Context = torchscript::NodeMap::Context;

  /// @param changing  attributes in which a run that is not seen may find other sizes
  explicit KnownSizes(std::set<std::string> changing) : changing_(std::move(changing)) {}

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

  /// Notes what was the same in all runs.
  void write(torchscript::NodeMap& map) const;

private:
  using Place = std::pair<Context, const torch::jit::Value*>;

  bool repeats(const torch::jit::Node& node) const;
  void answer(const Place& place, const std::optional<c10::IValue>& is);

  std::set<std::string> changing_;
  bool values_matter_ = false; ///< sizes may depend on values, or on state, by now
  std::vector<bool> repeats_;  ///< of each running call, whether it is in a loop
  /// What was asked for in loops that still run: the answer, or two of them where they differed.
  std::map<Place, std::vector<c10::IValue>> pending_;
  /// Nothing where answers differed, or did not follow from the inputs.
  std::map<Place, std::optional<c10::IValue>> answers_;
};

} // namespace model_validator::verify
