#pragma once

#include <onnx-ml.pb.h>
#include <vector>

namespace model_validator::onnx_format {

/// Which inputs of a node say how one of its operands, or its result, is quantised.
struct OperandPlaces {
  static constexpr int result = -1;
  int operand = 0; ///< an input, or `result`
  int scale = -1;  ///< an input; -1 where there is none
  int zero_point = -1;
};

/// By the operator's definition, in ONNX's own domain or in `com.microsoft`.
std::vector<OperandPlaces> quantised_operands(const ::onnx::NodeProto& node);

} // namespace model_validator::onnx_format
