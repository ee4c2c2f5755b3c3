#include "verify/inputs/strided_copy.h"

namespace model_validator::verify {
namespace {

void append_dimension(std::string& bytes, const TensorView& tensor, const char* data,
                      std::size_t dimension) {
  const auto size = element_size(tensor.dtype);
  if (dimension == tensor.shape.size()) {
    bytes.append(data, size);
    return;
  }
  const auto step = tensor.strides[dimension] * static_cast<std::int64_t>(size);
  for (std::int64_t i = 0; i < tensor.shape[dimension]; ++i)
    append_dimension(bytes, tensor, data + i * step, dimension + 1);
}

} // namespace

bool is_row_major(const TensorView& tensor) {
  std::int64_t step = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] != 1 && tensor.strides[i] != step) return false;
    step *= tensor.shape[i];
  }
  return true;
}

void append_row_major(std::string& bytes, const TensorView& tensor) {
  const auto count = static_cast<std::size_t>(element_count(tensor));
  if (count == 0) return;
  const auto* data = static_cast<const char*>(tensor.data);
  bytes.reserve(bytes.size() + count * element_size(tensor.dtype));
  if (is_row_major(tensor))
    bytes.append(data, count * element_size(tensor.dtype));
  else
    append_dimension(bytes, tensor, data, 0);
}

Tensor row_major(const Tensor& tensor) {
  if (is_row_major(tensor.view)) return tensor;
  auto bytes = std::make_shared<std::string>();
  append_row_major(*bytes, tensor.view);
  return {contiguous_view(bytes->data(), tensor.view.dtype, tensor.view.shape), bytes};
}

} // namespace model_validator::verify
