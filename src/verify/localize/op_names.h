#pragma once

#include "verify/trace/run_contexts.h"

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// The names of a run's operators in the model's graph, as `model_validator graph` shows it.
class OpNames {
public:
  /// @param module  the one that is run: the same code in another module's objects is not
  /// recognised
  explicit OpNames(const torch::jit::Module& module);
  OpNames(const OpNames&) = delete;
  OpNames& operator=(const OpNames&) = delete;

  RunContexts& contexts() { return contexts_; }
  /// The op that a node of the call that runs now is, or is a part of. Empty where it is none.
  std::string name_of(const torch::jit::Node& node) const;

private:
  torchscript::NodeMap map_;
  std::vector<std::string> names_; ///< by op
  RunContexts contexts_;
};

} // namespace model_validator::verify
