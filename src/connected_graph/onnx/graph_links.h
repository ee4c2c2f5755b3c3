#pragma once

#include "connected_graph/onnx/scope.h"

#include <onnx-ml.pb.h>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace model_validator::onnx_format {

/// Whether a node is of one of ONNX's own operators.
bool is_standard(const ::onnx::NodeProto& node, std::string_view type);

/// Which nodes of a graph make and read its values.
class GraphLinks {
public:
  /// Both are kept by reference.
  /// @param scope  of the graph, with all its names bound
  GraphLinks(const ::onnx::GraphProto& graph, const Scope& scope);

  /// Null for what no node of the graph makes.
  const ::onnx::NodeProto* maker(std::string_view name) const;
  /// Which of the graph's nodes makes a value; -1 for none.
  int place(std::string_view name) const;
  /// The node of one type that makes an operand of another; null where it is another, or none.
  const ::onnx::NodeProto* operand(const ::onnx::NodeProto* node, int input,
                                   std::string_view type) const;
  /// How often the graph's nodes read a value.
  int reads(std::string_view name) const;
  bool is_result(std::string_view name) const { return results_.contains(name); }
  /// What an operand is bound to; null where it is left out.
  const Binding* bound(const ::onnx::NodeProto& node, int input) const;

private:
  const ::onnx::GraphProto& graph_;
  const Scope& scope_;
  std::unordered_map<std::string_view, int> places_;
  std::unordered_map<std::string_view, int> reads_;
  std::unordered_set<std::string_view> results_;
};

} // namespace model_validator::onnx_format
