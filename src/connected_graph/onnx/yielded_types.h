#pragma once

#include "connected_graph/onnx/known_type.h"

#include <functional>
#include <limits>
#include <onnx-ml.pb.h>
#include <string_view>
#include <vector>

namespace model_validator::onnx_format {

/// The type of one result of a node: that of one of its inputs, of what it holds or of what holds
/// it, or a fixed type.
struct YieldedType {
  static constexpr std::size_t no_input = std::numeric_limits<std::size_t>::max();
  std::size_t input = no_input;
  KnownType type = {};                                 ///< of no input
  KnownType (*made)(const KnownType& given) = nullptr; ///< null: it is of that type itself
};

/// Finds an attribute of a node by name; null if there is none.
using FindAttribute = std::function<const ::onnx::AttributeProto*(std::string_view name)>;

/// The types that a node yields, one per output, as far as the operator's definition says. Not for
/// operators with subgraphs.
std::vector<YieldedType> yielded_types(const ::onnx::NodeProto& node, const FindAttribute& find);

} // namespace model_validator::onnx_format
