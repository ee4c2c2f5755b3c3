#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>

namespace model_validator::verify {

namespace {

Error unsupported(const std::string& what) {
  return Error(ErrorKind::unsupported_value, "", what + " cannot be compared",
               "make the model return dense tensors, numbers, strings, lists, tuples and dicts");
}

DType dtype_of(at::ScalarType type) {
  const auto dtype = dtype_numbered(&DTypeFacts::torch, static_cast<int>(type));
  if (dtype && is_comparable(*dtype)) return *dtype;
  throw unsupported(std::string("a tensor of dtype ") + c10::toString(type));
}

/// The tensor with plain elements at strides in this machine's memory; the tensor itself if it is
/// so already.
at::Tensor plain(at::Tensor tensor) {
  if (tensor.is_meta()) throw unsupported("a meta tensor, which has no values,");
  if (tensor.is_nested()) throw unsupported("a nested tensor");
  tensor = tensor.detach();
  if (tensor.is_quantized()) tensor = tensor.dequantize();
  if (tensor.layout() != at::kStrided) tensor = tensor.to_dense();
  if (!tensor.is_cpu()) tensor = tensor.cpu();
  return tensor.resolve_conj().resolve_neg();
}

} // namespace

Tensor to_tensor(const at::Tensor& tensor) {
  const auto owner = std::make_shared<const at::Tensor>(plain(tensor));
  TensorView view{owner->const_data_ptr(), dtype_of(owner->scalar_type()), owner->sizes().vec(),
                  owner->strides().vec()};
  return {std::move(view), owner};
}

} // namespace model_validator::verify
