#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

/// What one element of a tensor is. Names are PyTorch's (`float32`, `bool`, `float8_e4m3fn`).
enum class DType : std::uint8_t {
  bool_,
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  uint64,
  int64,
  float8_e4m3fn,
  float8_e4m3fnuz,
  float8_e5m2,
  float8_e5m2fnuz,
  float16,
  bfloat16,
  float32,
  float64,
  complex32,
  complex64,
  complex128
};

const char* to_string(DType dtype);

/// The dtype of that name.
std::optional<DType> parse_dtype(std::string_view name);

/// Bytes of one element.
std::size_t element_size(DType dtype);

bool is_floating(DType dtype); ///< float8 to float64
bool is_complex(DType dtype);
bool is_integral(DType dtype); ///< integers and bool

using Shape = std::vector<std::int64_t>;

/// Someone else's tensor: where its elements lie and how they are read. Any strides are good:
/// zero for an expanded dimension, negative for a reversed one; the data need not be aligned.
struct TensorView {
  const void* data = nullptr; ///< of the element with all coordinates zero
  DType dtype = DType::float32;
  Shape shape;
  std::vector<std::int64_t> strides; ///< in elements, one a dimension
};

/// A view of elements that lie in row-major order without gaps.
TensorView contiguous_view(const void* data, DType dtype, Shape shape);

/// Number of elements: 1 for a scalar, 0 where a dimension is 0.
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
