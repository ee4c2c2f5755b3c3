#pragma once

#include "connected_graph/graph_assembler.h"
#include "connected_graph/onnx/node_reader.h"
#include "connected_graph/onnx/quantised_operands.h"

#include <model_validator/node_flow.h>

#include <cstddef>
#include <map>
#include <memory>
#include <unordered_map>

namespace model_validator::onnx_format {

/// Records the nodes of a file with what flows between them: the `flow` of a graph. Of the stored
/// tensors, only scales, zero points and biases in int32 are read, as long as they are small.
class FlowRecorder {
public:
  /// @param wanted  records files without quantised nodes too
  FlowRecorder(const OnnxFile& source, NodeReader& reader, GraphAssembler& assembler, bool wanted);

  /// After the node's outputs are bound.
  /// @param flat  number of the flat node that it becomes
  void record(const ::onnx::NodeProto& node, const Scope& scope, const Place& place,
              std::size_t flat);
  void add_input(const Binding& binding, const std::string& name);
  void add_output(const Binding& binding, const std::string& name);
  /// Hands the record over, with the op of each node, after assembly; and tells the parameters how
  /// they are quantised. Null if nothing is wanted.
  std::shared_ptr<const NodeFlow> finish(const GraphAssembler& assembler, GraphBuilder& graph);

private:
  std::size_t value_of(const Binding& binding, const std::string& name, const Scope* scope);
  FlowValue described(const Binding& binding, const std::string& name, const Scope* scope) const;
  void add_quantisation(const ::onnx::NodeProto& node, const Scope& scope, FlowNode& to);
  QuantisationNumbers numbers_at(const ::onnx::NodeProto& node, int input, const Scope& scope);
  std::optional<std::vector<double>> read(const Binding& binding);
  void read_bias(const FlowNode& node, const Binding& stored);
  std::string stored_dtype(const FlowNode& node, const OperandPlaces& places,
                           const Quantisation& quantisation) const;
  void mark_values(const ::onnx::NodeProto& node, const Scope& scope, const FlowNode& recorded);

  const OnnxFile& source_;
  NodeReader& reader_;
  GraphAssembler& assembler_;
  bool enabled_;
  NodeFlow flow_;
  std::unordered_map<const ::onnx::TensorProto*, std::size_t> of_tensors_;
  std::unordered_map<ValueId, std::size_t> of_values_;
  std::vector<std::size_t> flat_numbers_; ///< by node
  std::size_t numbers_left_;
};

} // namespace model_validator::onnx_format
