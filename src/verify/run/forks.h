#pragma once

#include <torch/csrc/jit/api/module.h>

#include <functional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Something in a model that goes one way or another, as its inputs have it.
struct Fork {
  std::string name; ///< where it is: `` `clamp` at model.py:31 ``
  bool branches =
      false; ///< parts of the model run or do not; else values are on one side or another
  std::string ways[2] = {}; ///< `true`, `beyond 6`
  bool taken[2] = {};
};

/// Adds what another run met of the same model.
void add_forks(std::vector<Fork>& forks, std::vector<Fork> others);

/// Whether a run could meet any.
bool has_forks(const torch::jit::Module& module);

/// What a call of the module meets. It may change the module's state.
std::vector<Fork> forks_met(torch::jit::Module& module, const std::vector<c10::IValue>& inputs);

} // namespace model_validator::verify
