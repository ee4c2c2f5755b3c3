#pragma once

#include "connected_graph/graph_assembler.h"
#include "connected_graph/onnx/node_reader.h"

#include <model_validator/graph_builder.h>

#include <cstddef>
#include <vector>

namespace model_validator::onnx_format {

/// Records the nodes of a file as a runtime sees them, with the types of their inputs and outputs:
/// the `file_operators` of a graph.
class NodeRecorder {
public:
  /// @param enabled  whether the nodes are wanted; otherwise nothing is recorded
  NodeRecorder(const OnnxFile& source, GraphBuilder& graph, NodeReader& reader, bool enabled)
      : source_(source), graph_(graph), reader_(reader), enabled_(enabled) {}

  /// The versions of the file and its operators, before any node.
  void record_versions();
  /// @param flat  number of the flat node that it becomes; `none` if it is part of no op
  /// @throws Error (`damaged-onnx`, `too-large`)
  void record(const ::onnx::NodeProto& node, const Scope& scope, const Place& place,
              const std::vector<KnownType>& yielded, std::size_t flat);
  /// Records for every node which op it became part of, after assembly.
  void name_ops(const GraphAssembler& assembler);

private:
  AttributeValue setting(const ::onnx::AttributeProto& attribute) const;

  const OnnxFile& source_;
  GraphBuilder& graph_;
  NodeReader& reader_;
  bool enabled_;
  std::vector<std::size_t> flat_numbers_; ///< per recorded node
};

} // namespace model_validator::onnx_format
