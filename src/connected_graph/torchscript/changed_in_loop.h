#pragma once

#include "connected_graph/torchscript/values.h"

#include <vector>

namespace model_validator::torchscript {

/// Used while a loop body is walked, once for all iterations: the lists and dicts that it writes
/// into by name may differ in each iteration, so nothing is known about them.
class ChangedInLoop {
public:
  ChangedInLoop(const Block& body, const Environment& environment);
  ~ChangedInLoop();
  ChangedInLoop(const ChangedInLoop&) = delete;
  ChangedInLoop& operator=(const ChangedInLoop&) = delete;

private:
  void find(const Block& block, const Environment& environment);
  void begin(const Abstract& value);

  std::vector<Abstract> changed_;
};

} // namespace model_validator::torchscript
