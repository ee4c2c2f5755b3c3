#include <model_validator/verify/tensor_view.h>

#include <cstring>
#include <functional>
#include <numeric>

namespace model_validator::verify {

bool is_comparable(DType dtype) { return dtype <= DType::complex128; }

std::optional<DType> parse_dtype(std::string_view name) {
  const auto dtype = dtype_named(name);
  return dtype && is_comparable(*dtype) ? dtype : std::nullopt;
}

std::size_t element_size(DType dtype) { return facts_of(dtype).bits / 8; }

std::int64_t element_count(const TensorView& view) {
  return std::accumulate(view.shape.begin(), view.shape.end(), std::int64_t{1},
                         std::multiplies<>());
}

TensorView contiguous_view(const void* data, DType dtype, Shape shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return {data, dtype, std::move(shape), std::move(strides)};
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

Tensor make_tensor(DType dtype, Shape shape, const void* bytes) {
  TensorView view = contiguous_view(nullptr, dtype, std::move(shape));
  const std::size_t size = static_cast<std::size_t>(element_count(view)) * element_size(dtype);
  std::shared_ptr<std::byte[]> copy(new std::byte[size]);
  if (size != 0) std::memcpy(copy.get(), bytes, size);
  view.data = copy.get();
  return {std::move(view), std::shared_ptr<const void>(copy, copy.get())};
}

} // namespace model_validator::verify
