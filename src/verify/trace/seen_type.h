#pragma once

#include <model_validator/trace.h>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>

namespace model_validator::verify {

/// The merged shapes and dtypes of the tensors that were seen in one place of a graph.
class SeenType {
public:
  void see(const at::Tensor& tensor);
  /// Every tensor in a list, tuple or dict; none in a number.
  void see(const c10::IValue& value);

  bool seen() const noexcept { return seen_; }
  /// A size that differed is -1; a number of dimensions or a dtype that differed is unknown.
  TensorType type() const;
  /// Of every dimension, where a size differed; else empty.
  SizeRanges ranges() const;

private:
  bool seen_ = false;
  bool ranks_differ_ = false;
  std::optional<c10::ScalarType> dtype_; ///< none: it differed
  SizeRanges sizes_;
};

} // namespace model_validator::verify
