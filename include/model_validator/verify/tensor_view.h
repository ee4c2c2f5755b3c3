#pragma once

#include <model_validator/data/dtype.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

using model_validator::DType;

/// Whether arrays of this dtype can be compared.
bool is_comparable(DType dtype);

/// The dtype of that name, if arrays of it can be compared.
std::optional<DType> parse_dtype(std::string_view name);

/// Bytes per element, for a dtype that can be compared.
std::size_t element_size(DType dtype);

using Shape = std::vector<std::int64_t>;

/// Someone else's tensor: where its elements lie and how they are read. Any strides will do: zero
/// for an expanded dimension, negative for a reversed one; the data need not be aligned.
struct TensorView {
  const void* data = nullptr; ///< of the element with all coordinates zero
  DType dtype = DType::float32;
  Shape shape;
  std::vector<std::int64_t> strides; ///< in elements, one per dimension
};

/// A view of elements that lie in row-major order without gaps.
TensorView contiguous_view(const void* data, DType dtype, Shape shape);

/// Number of elements: 1 for a scalar, 0 if a dimension is 0.
std::int64_t element_count(const TensorView& view);

/// `[2, 3]`, `[]` for a scalar.
std::string to_string(const Shape& shape);

/// A tensor together with what keeps its bytes alive.
struct Tensor {
  TensorView view;
  std::shared_ptr<const void> owner;
};

/// A tensor that owns a copy of these bytes, row-major.
Tensor make_tensor(DType dtype, Shape shape, const void* bytes);

} // namespace model_validator::verify
