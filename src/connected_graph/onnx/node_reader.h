#pragma once

#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/place.h"
#include "connected_graph/onnx/scope.h"
#include "connected_graph/onnx/yielded_types.h"

#include <model_validator/graph_reader.h>

#include <cstddef>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// Resolves what the nodes of a file refer to, and bounds what they unfold to.
class NodeReader {
public:
  NodeReader(const OnnxFile& source, const ReadOptions& options);

  /// @throws Error (`damaged-onnx`) about the file
  [[noreturn]] void fail(const std::string& what) const;
  /// Counts what was unfolded, a function at every call. @throws Error (`too-large`)
  void spend(std::size_t cost);
  /// The attribute, or what it refers to in the enclosing function; null if that was not given.
  const ::onnx::AttributeProto* given(const ::onnx::AttributeProto& attribute, const Place& place);
  /// Finds the attributes of the node, as they are given to the enclosing function.
  FindAttribute attributes_of(const ::onnx::NodeProto& node, const Place& place) const;
  /// The version of the node's operators that the file, or the enclosing function, imports; 0 if
  /// none.
  int opset_of(const ::onnx::NodeProto& node, const Place& place) const;
  /// What an input of the node stands for. @throws Error (`damaged-onnx`) if nothing makes it
  const Binding& input(const ::onnx::NodeProto& node, const std::string& name,
                       const Scope& scope) const;
  /// What the inputs of the node stand for; null for one that is left out.
  std::vector<const Binding*> inputs_of(const ::onnx::NodeProto& node, const Scope& scope) const;
  /// The types that are declared for what the node yields; one per output.
  std::vector<KnownType> types_declared(const ::onnx::NodeProto& node, const Scope& scope) const;
  /// What follows from its operator; what does not, as it is declared. Not for operators with
  /// subgraphs.
  std::vector<KnownType> types_yielded(const ::onnx::NodeProto& node, const Scope& scope,
                                       const Place& place) const;

private:
  const OnnxFile& source_;
  std::size_t cost_ = 0;
  std::size_t most_cost_;
};

} // namespace model_validator::onnx_format
