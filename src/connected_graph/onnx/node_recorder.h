#pragma once

#include "connected_graph/file_nodes.h"
#include "connected_graph/graph_assembler.h"
#include "connected_graph/onnx/node_reader.h"

#include <model_validator/graph_builder.h>

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator::onnx_format {

/// Records the nodes of a file as a runtime sees them, with the types of their inputs and outputs:
/// the `file_nodes` of a graph. Nodes are alike that a schema cannot tell apart: they have the
/// same operator, names and kinds of attributes, words in them, and dtypes.
class NodeRecorder {
public:
  /// @param every  whether all nodes are wanted; otherwise the first of those that are alike is
  ///               recorded
  NodeRecorder(const OnnxFile& source, const ConnectedGraph& graph, NodeReader& reader, bool every)
      : source_(source), graph_(graph), reader_(reader), every_(every) {}

  /// @param sizes  of what it yields, as far as they are known
  /// @param flat  number of the flat node that it becomes; `none` if it is part of no op
  /// @throws Error (`damaged-onnx`, `too-large`)
  void record(const ::onnx::NodeProto& node, const Scope& scope, const Place& place,
              const std::vector<KnownType>& yielded, const std::vector<shapes::Value>& sizes,
              std::size_t flat);
  /// Hands the record over, with the versions of the file and the op of each node, after assembly.
  /// @param forms  of the file
  std::shared_ptr<const FileNodes> finish(const GraphAssembler& assembler,
                                          std::vector<GraphForm> forms);

private:
  /// What all nodes that are alike have in common.
  std::string form_of(const ::onnx::NodeProto& node, const Scope& scope, const Place& place,
                      const std::vector<KnownType>& yielded) const;
  AttributeValue setting(const ::onnx::AttributeProto& attribute) const;

  const OnnxFile& source_;
  const ConnectedGraph& graph_;
  NodeReader& reader_;
  bool every_;
  FileNodes recorded_;
  std::vector<std::size_t> flat_numbers_;              ///< per recorded node
  std::unordered_map<std::string, std::size_t> forms_; ///< to the number of the first node
};

} // namespace model_validator::onnx_format
