#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <utility>
#include <vector>

// Models and inputs that are as good as the original: each number is moved up or down by some
// roundings of its dtype, at random. Whole numbers stay: they are flags and labels, and exact.
namespace model_validator::verify {

using Arguments = std::vector<std::vector<c10::IValue>>; ///< by call

/// As much as the inner values of a deep model differ from one library to another.
void move_by_roundings(Arguments& arguments, std::uint64_t seed);

/// Moves parameters, buffers and constant tensors in place, until its end.
class MovedModule {
public:
  MovedModule(const torch::jit::Module& module, std::uint64_t seed);
  ~MovedModule();
  MovedModule(const MovedModule&) = delete;
  MovedModule& operator=(const MovedModule&) = delete;

private:
  std::vector<std::pair<at::Tensor, at::Tensor>> originals_; ///< what was moved, and from what
};

} // namespace model_validator::verify
