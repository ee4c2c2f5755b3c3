#pragma once

#include "connected_graph/graph_assembler.h"
#include "connected_graph/onnx/node_reader.h"
#include "connected_graph/onnx/quantised_operands.h"

#include <cstddef>

namespace model_validator::onnx_format {

/// Reads how the nodes of a file are quantised. Of the stored tensors, only scales, zero points and
/// biases in int32 are read, as long as they are small.
class QuantisationReader {
public:
  QuantisationReader(const OnnxFile& source, const NodeReader& reader, GraphBuilder& graph,
                     GraphAssembler& assembler)
      : source_(source), reader_(reader), graph_(graph), assembler_(assembler) {}

  /// Tells a node with a role, its result and its stored operands. After its outputs are bound.
  void read(const ::onnx::NodeProto& node, const Scope& scope, ProgramNode& to);

private:
  QuantisationNumbers numbers_at(const ::onnx::NodeProto& node, int input, const Scope& scope);
  std::optional<std::vector<double>> numbers_in(const Binding& binding);
  void read_bias(const Binding& stored);
  std::string stored_dtype(const ProgramNode& node, const OperandPlaces& places,
                           const Quantisation& quantisation) const;
  void mark_value(const ::onnx::NodeProto& node, const ProgramNode& read,
                  const QuantisedOperand& how);
  void mark_parameter(const ProgramNode& read, const QuantisedOperand& how);

  /// The most numbers that are read of one tensor, and of a file.
  static constexpr std::uint64_t max_numbers = 1 << 16;
  static constexpr std::size_t max_numbers_of_file = 1 << 22;

  const OnnxFile& source_;
  const NodeReader& reader_;
  GraphBuilder& graph_;
  GraphAssembler& assembler_;
  std::size_t numbers_left_ = max_numbers_of_file;
};

} // namespace model_validator::onnx_format
