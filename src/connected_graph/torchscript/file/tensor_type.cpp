#include "connected_graph/torchscript/file/tensor_type.h"

#include <c10/core/ScalarType.h>

namespace model_validator::torchscript {

std::string dtype_name(c10::ScalarType type) { return std::string(c10::getDtypeNames(type).first); }

TensorType type_of(const at::Tensor& tensor) {
  TensorType type;
  if (!tensor.defined()) return type;
  type.shape = tensor.sizes().vec();
  type.dtype = dtype_name(tensor.scalar_type());
  return type;
}

std::uint64_t bytes_of(const at::Tensor& tensor) {
  if (!tensor.defined()) return 0;
  switch (tensor.layout()) {
  case c10::kStrided: return tensor.nbytes();
  case c10::kSparse: return tensor._indices().nbytes() + tensor._values().nbytes();
  case c10::kSparseCsr:
    return tensor.crow_indices().nbytes() + tensor.col_indices().nbytes() +
           tensor.values().nbytes();
  default: return 0; // LibTorch writes no others into files
  }
}

std::optional<AttributeValue> scalar_value(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.dim() != 0 || !tensor.device().is_cpu() || !tensor.has_storage())
    return std::nullopt;
  if (tensor.storage().nbytes() < tensor.itemsize() || !tensor.storage().data())
    return std::nullopt;
  switch (tensor.scalar_type()) {
  case c10::kDouble: return *tensor.const_data_ptr<double>();
  case c10::kFloat: return static_cast<double>(*tensor.const_data_ptr<float>());
  case c10::kLong: return *tensor.const_data_ptr<std::int64_t>();
  case c10::kInt: return static_cast<std::int64_t>(*tensor.const_data_ptr<std::int32_t>());
  case c10::kBool: return *tensor.const_data_ptr<bool>();
  default: return std::nullopt;
  }
}

} // namespace model_validator::torchscript
