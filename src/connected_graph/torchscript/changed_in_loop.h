#pragma once

#include "connected_graph/torchscript/values.h"

#include <vector>

namespace model_validator::torchscript {

/// While the body of a loop is walked, once for all rounds: the lists and dicts that it writes into
/// by name may be others in each round, so that nothing is known of them.
class ChangedInLoop {
public:
  ChangedInLoop(const torch::jit::Block& body, const Environment& environment);
  ~ChangedInLoop();
  ChangedInLoop(const ChangedInLoop&) = delete;
  ChangedInLoop& operator=(const ChangedInLoop&) = delete;

private:
  void find(const torch::jit::Block& block, const Environment& environment);
  void begin(const Abstract& value);

  std::vector<Abstract> changed_;
};

} // namespace model_validator::torchscript
