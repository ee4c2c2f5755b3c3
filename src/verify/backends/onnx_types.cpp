#include "verify/backends/onnx_types.h"

#include <model_validator/error.h>

namespace model_validator::verify {

int onnx_type_of(DType dtype) {
  const int type = facts_of(dtype).onnx;
  if (type >= 0) return type;
  throw Error(ErrorKind::bad_inputs, "", std::string("ONNX has no tensors of ") + to_string(dtype));
}

std::optional<DType> dtype_of_onnx(int type) {
  const auto dtype = dtype_numbered(&DTypeFacts::onnx, type);
  return dtype && is_comparable(*dtype) ? dtype : std::nullopt;
}

} // namespace model_validator::verify
