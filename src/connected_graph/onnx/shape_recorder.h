#pragma once

#include "connected_graph/graph_assembler.h"
#include "connected_graph/onnx/node_reader.h"
#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/shapes/value_shapes.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// Works out the shapes of a file's values, node by node: the `shapes` of a graph. What the file
/// declares of values between its nodes is compared with that, and not believed.
class ShapeRecorder {
public:
  ShapeRecorder(const OnnxFile& source, NodeReader& reader) : source_(source), reader_(reader) {}

  /// An input of the model, with a name for each axis that is free.
  shapes::Value of_input(const ::onnx::ValueInfoProto& input);
  /// What is stored in the file.
  static shapes::Value of_tensor(const ::onnx::TensorProto& tensor, const std::string& name,
                                 const std::optional<AttributeValue>& literal);
  static shapes::Value of_sparse(const ::onnx::SparseTensorProto& sparse);
  /// What a node `Constant` with one output stands for. @param binding  of that output
  static shapes::Value of_constant(const ::onnx::NodeProto& node, const Binding& binding);
  /// What a node yields, one value per output. Not for operators with subgraphs.
  /// @param flat  number of the flat node that it becomes
  std::vector<shapes::Value> of_node(const ::onnx::NodeProto& node, const Scope& scope,
                                     const Place& place, std::size_t flat);
  /// Notes the shape of a value, and whether a declaration contradicts it.
  void note(ValueId value, const std::string& name, const TensorType& declared,
            const shapes::Value& found);
  /// Completes a declared type by what is known. What it declares stays.
  static void complete(TensorType& declared, const shapes::Value& found);
  /// Of what cannot be worked out, a file is believed how many axes it has.
  static void take_rank(const TensorType& declared, shapes::Value& found);
  /// Of what a body is given, also which sizes: runtimes work out the shapes inside by them.
  static void take_sizes(const TensorType& declared, shapes::Value& found);

  /// A bit for each axis whose size follows from those that the inputs leave free.
  static std::uint64_t free_axes(const shapes::Value& value);

  /// Flat nodes whose results have as many axes as a run decides.
  const std::vector<shapes::OpenRank>& open_ranks() const { return found_.facts.open_ranks; }

  /// Hands over what was found, by op, after assembly.
  std::shared_ptr<const SymbolicShapes> finish(const GraphAssembler& assembler,
                                               const ConnectedGraph& graph);

private:
  void check_outputs(const GraphAssembler& assembler);

  const OnnxFile& source_;
  NodeReader& reader_;
  SymbolicShapes found_;
  ValueShapes of_values_;
  struct Doubt {
    ValueId value;
    std::string name;
    std::vector<std::int64_t> declared;
  };
  std::vector<Doubt> doubts_;
};

} // namespace model_validator::onnx_format
