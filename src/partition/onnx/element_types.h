#pragma once

#include <onnx-ml.pb.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// The element types of the values in the graph of a model, those included that the file does not
/// declare: they follow from what the operators are.
class ElementTypes {
public:
  /// Takes time by the nodes, those of a function once a call: a model that unfolds beyond sense
  /// must have been refused before.
  explicit ElementTypes(const ::onnx::ModelProto& model);

  /// A `TensorProto::DataType`; `UNDEFINED` where it is not known, or the value is no tensor.
  int of(const std::string& value) const;

private:
  using Graph = ::onnx::GraphProto;
  using Node = ::onnx::NodeProto;
  using Nodes = google::protobuf::RepeatedPtrField<Node>;
  using Types = std::vector<int>;

  void declare(const Graph& graph);
  void follow(const Nodes& nodes);
  void follow(const Node& node);
  Types yielded(const Node& node);
  Types yielded_by_function(const Node& node, const ::onnx::FunctionProto& function);
  Types yielded_by_branch(const Graph& branch);
  Types yielded_by_body(const Node& node, const Graph& body);
  Types yielded_by_rule(const Node& node) const;
  int type_of_input(const Node& node, std::size_t number) const;

  std::unordered_map<std::string, const ::onnx::FunctionProto*> functions_;
  using Scope = std::unordered_map<std::string, int>;
  std::vector<Scope> scopes_; ///< outermost first
};

} // namespace model_validator::partition
