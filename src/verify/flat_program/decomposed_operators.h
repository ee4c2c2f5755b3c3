#pragma once

#include <torch/csrc/jit/api/function_impl.h>

#include <memory>
#include <string>

namespace model_validator::verify {

/// What an operator of `quantized_decomposed` computes, in TorchScript: quantisers of PyTorch write
/// them (`prepare_pt2e`, `convert_pt2e`), but only Python has them.
class DecomposedOperators {
public:
  /// @param schema  `quantized_decomposed::quantize_per_tensor.tensor`
  /// @returns null for any other operator
  torch::jit::GraphFunction* find(const std::string& schema);

private:
  std::shared_ptr<torch::jit::CompilationUnit> unit_; ///< compiled when it is first asked for
};

} // namespace model_validator::verify
