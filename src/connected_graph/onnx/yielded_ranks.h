#pragma once

#include "connected_graph/onnx/scope.h"
#include "connected_graph/onnx/yielded_types.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace model_validator::onnx_format {

/// How many dimensions a tensor has, as far as a runtime can know before it runs the model.
struct Rank {
  std::optional<std::size_t> known;
  bool open = false; ///< no type decides it; neither known nor open: it was not worked out
};

Rank rank_of(const KnownType& type);

/// The rank of a value that is one of two, by the arms of an `if`.
Rank rank_of_either(const Rank& a, const Rank& b);

/// The ranks that a node of ONNX's own domain yields, one per output, as far as the operator's
/// definition says. Not for operators with subgraphs.
/// @param inputs  one per input of the node; null for one that is left out
std::vector<Rank> yielded_ranks(const ::onnx::NodeProto& node, const FindAttribute& find,
                                const std::vector<const Binding*>& inputs);

} // namespace model_validator::onnx_format
