#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>

namespace model_validator::verify {

namespace {

Error unsupported(const std::string& what) {
  return Error(ErrorKind::unsupported_value, "", what + " cannot be compared",
               "let the model return dense tensors, numbers, strings, lists, tuples and dicts");
}

DType dtype_of(at::ScalarType type) {
  switch (type) {
  case at::kBool: return DType::bool_;
  case at::kByte: return DType::uint8;
  case at::kChar: return DType::int8;
  case at::kUInt16: return DType::uint16;
  case at::kShort: return DType::int16;
  case at::kUInt32: return DType::uint32;
  case at::kInt: return DType::int32;
  case at::kUInt64: return DType::uint64;
  case at::kLong: return DType::int64;
  case at::kFloat8_e4m3fn: return DType::float8_e4m3fn;
  case at::kFloat8_e4m3fnuz: return DType::float8_e4m3fnuz;
  case at::kFloat8_e5m2: return DType::float8_e5m2;
  case at::kFloat8_e5m2fnuz: return DType::float8_e5m2fnuz;
  case at::kHalf: return DType::float16;
  case at::kBFloat16: return DType::bfloat16;
  case at::kFloat: return DType::float32;
  case at::kDouble: return DType::float64;
  case at::kComplexHalf: return DType::complex32;
  case at::kComplexFloat: return DType::complex64;
  case at::kComplexDouble: return DType::complex128;
  default: throw unsupported(std::string("a tensor of dtype ") + c10::toString(type));
  }
}

/// The tensor with plain elements at strides in this machine's memory; itself where it is so.
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
