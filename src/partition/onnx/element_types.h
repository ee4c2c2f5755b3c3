#pragma once

#include <onnx-ml.pb.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// The element types of the values in a model's graph. Those that the file does not declare follow
/// from the operators.
class ElementTypes {
public:
  /// Takes time proportional to the nodes, with those of a function once per call: a model that
  /// unfolds too far must have been rejected before.
  explicit ElementTypes(const ::onnx::ModelProto& model);

  /// A `TensorProto::DataType`; `UNDEFINED` if unknown, or if the value is no tensor.
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
