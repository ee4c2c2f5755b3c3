#include "verify/backends/onnx_types.h"

#include <model_validator/error.h>

#include <map>
#include <onnx-ml.pb.h>

namespace model_validator::verify {
namespace {

using onnx::TensorProto;

const std::map<int, DType>& dtypes() {
  static const std::map<int, DType> table{{TensorProto::FLOAT, DType::float32},
                                          {TensorProto::UINT8, DType::uint8},
                                          {TensorProto::INT8, DType::int8},
                                          {TensorProto::UINT16, DType::uint16},
                                          {TensorProto::INT16, DType::int16},
                                          {TensorProto::INT32, DType::int32},
                                          {TensorProto::INT64, DType::int64},
                                          {TensorProto::BOOL, DType::bool_},
                                          {TensorProto::FLOAT16, DType::float16},
                                          {TensorProto::DOUBLE, DType::float64},
                                          {TensorProto::UINT32, DType::uint32},
                                          {TensorProto::UINT64, DType::uint64},
                                          {TensorProto::COMPLEX64, DType::complex64},
                                          {TensorProto::COMPLEX128, DType::complex128},
                                          {TensorProto::BFLOAT16, DType::bfloat16},
                                          {TensorProto::FLOAT8E4M3FN, DType::float8_e4m3fn},
                                          {TensorProto::FLOAT8E4M3FNUZ, DType::float8_e4m3fnuz},
                                          {TensorProto::FLOAT8E5M2, DType::float8_e5m2},
                                          {TensorProto::FLOAT8E5M2FNUZ, DType::float8_e5m2fnuz}};
  return table;
}

} // namespace

int onnx_type_of(DType dtype) {
  for (const auto& [type, candidate] : dtypes())
    if (candidate == dtype) return type;
  throw Error(ErrorKind::bad_inputs, "", std::string("ONNX has no tensors of ") + to_string(dtype));
}

std::optional<DType> dtype_of_onnx(int type) {
  const auto found = dtypes().find(type);
  return found == dtypes().end() ? std::nullopt : std::optional(found->second);
}

} // namespace model_validator::verify
