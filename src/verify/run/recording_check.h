#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/ir/ir.h>

#include <vector>

namespace model_validator::verify {

/// Holds a recording to the run that made it: what a run hides from its recorder, such as memory
/// that it fills by itself, is missing from the recording, and no compiler is to blame for that.
class RecordingCheck {
public:
  /// Before the run.
  RecordingCheck();
  /// Repeats the recording with the same random numbers. Memory that nothing fills holds NaN.
  /// @param results  of the run
  /// @throws Error (`cannot-flatten`) where the recording gives something else
  void require_same(torch::jit::Graph& recording, const std::vector<at::Tensor>& inputs,
                    const std::vector<at::Tensor>& results) const;

private:
  at::Tensor random_state_;
};

} // namespace model_validator::verify
