#pragma once

#include <functional>
#include <limits>
#include <onnx-ml.pb.h>
#include <string_view>
#include <vector>

namespace model_validator::onnx_format {

/// The element type of one result of a node: that of one of its inputs, or a fixed type.
struct YieldedType {
  static constexpr std::size_t no_input = std::numeric_limits<std::size_t>::max();
  std::size_t input = no_input;
  int type = 0; ///< a `TensorProto::DataType`; `UNDEFINED` if unknown, or if it is an input's
};

/// Finds an attribute of a node by name; null if there is none.
using FindAttribute = std::function<const ::onnx::AttributeProto*(std::string_view name)>;

/// The element types that a node of ONNX's own domain yields, one per output, as far as the
/// operator's definition says. Not for operators with subgraphs.
std::vector<YieldedType> yielded_types(const ::onnx::NodeProto& node, const FindAttribute& find);

} // namespace model_validator::onnx_format
