#pragma once

#include "connected_graph/graph_assembler.h"
#include "connected_graph/module_hierarchy.h"
#include "connected_graph/onnx/form_list.h"
#include "connected_graph/onnx/node_reader.h"
#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/place_finder.h"
#include "connected_graph/onnx/quantisation_reader.h"
#include "connected_graph/onnx/scope.h"
#include "connected_graph/onnx/shape_recorder.h"
#include "connected_graph/onnx/subgraph_results.h"
#include "connected_graph/onnx/weight_owners.h"

#include <model_validator/graph_builder.h>
#include <model_validator/graph_reader.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator::onnx_format {

class ScanAxes;

/// What is known of the model's own graph by its nodes and names, for those who divide it.
struct OwnGraph {
  /// The ops that each node represents, in file order, an operator with subgraphs before what they
  /// hold.
  std::vector<std::vector<OpId>> ops_of_nodes;
  /// By value: as it follows from the operators, or as declared. Empty where it is not known.
  std::unordered_map<std::string, std::string> dtypes;
};

/// Builds a ConnectedGraph from a parsed ONNX file.
class Converter {
public:
  Converter(const OnnxFile& source, const ReadOptions& options);
  /// @param own  is filled; may be null
  /// @throws Error (`damaged-onnx`, `too-large`)
  ConnectedGraph convert(OwnGraph* own = nullptr);

private:
  using Node = ::onnx::NodeProto;
  using Graph = ::onnx::GraphProto;
  using Function = ::onnx::FunctionProto;

  void read_header();
  void state_interface();
  void note_declared(const Graph& graph);
  template <class Opsets> void state_opsets(const Opsets& opsets, const std::string& where);
  void read_graph(const Graph& graph, OwnGraph* own);
  void declare_types(const Graph& graph, Scope& scope) const;
  void bind_initializers(const Graph& graph, Scope& scope);
  Binding bind_sparse(const ::onnx::SparseTensorProto& sparse);
  Binding bind_tensor(const ::onnx::TensorProto& tensor, const std::string& name);
  void bind(Scope& scope, const std::string& name, Binding binding) const;

  void convert_nodes(const google::protobuf::RepeatedPtrField<Node>& nodes, Scope& scope,
                     const Place& around);
  void convert_node(const Node& node, Scope& scope, const Place& around);
  void add_forms(const Graph& graph, const Scope& scope);
  void convert_constant(const Node& node, Scope& scope, const Place& place);
  Binding constant_of(const Node& node, Scope& scope, const Place& place, ProgramNode& constant);
  void read_constant(const ::onnx::AttributeProto& attribute, Binding& to);
  bool is_beyond_int32(const Binding& binding) const;
  bool hands_on_beyond_int32(const Node& node, const Scope& scope);
  void bind_literal(const std::string& name, ProgramNode constant, Scope& scope, Binding binding);
  void convert_operator(const Node& node, Scope& scope, const Place& place);
  const Function* function_of(const Node& node) const;
  void convert_call(const Node& node, const Function& function, Scope& scope, const Place& place);
  void bind_call_inputs(const Node& node, const Function& function, const Scope& outer,
                        Scope& inner);
  void bind_call_outputs(const Node& node, const Function& function, const Scope& inner,
                         Scope& outer);
  void convert_with_subgraphs(const Node& node, Scope& scope, const Place& place);
  void convert_regions(const Node& node, Scope& scope, const Place& place, ProgramNode& flat,
                       SubgraphValues& values);
  void convert_region(const Node& node, const Graph& graph, Region::Kind kind, std::size_t number,
                      Scope& scope, const Place& place, ProgramNode& flat, SubgraphValues& values);
  void bind_results_of_regions(const Node& node, Scope& scope, const Place& place, bool query,
                               const SubgraphValues& values, ProgramNode& flat);
  std::vector<Binding> convert_subgraph(const Node& node, const Graph& graph, const Scope& scope,
                                        const Place& place, bool is_arm);
  void compare_condition(const Node& loop, const ::onnx::ValueInfoProto& condition,
                         const Scope& outer, const Scope& inner);
  void bind_body_inputs(const Node& node, const Graph& graph, const Scope& outer, Scope& inner);
  void declare_body_input(const Node& node, const Graph& graph, const ScanAxes& scan, int input,
                          const TensorType& declared, Binding& binding);

  std::shared_ptr<const FileNodes> file_facts();

  ProgramNode node_of(const Node& node, const Place& place) const;
  void note_constant(int input, const Binding& binding);
  ValueId body_input(const std::string& name, const Binding& binding, bool counter,
                     const TensorType& declared);
  void add_inputs(const Node& node, const Scope& scope, ProgramNode& to, bool& query);
  void add_attributes(const Node& node, const Place& place, ProgramNode& to);
  void bind_outputs(const Node& node, Scope& scope, const Place& place, ProgramNode& to, bool query,
                    const std::vector<KnownType>& types, std::vector<shapes::Value> sizes);
  /// Whether its results depend on nothing but sizes and what is in the file.
  void note_origin(const Node& node, bool query, Scope& scope);
  std::vector<std::vector<OpId>> ops_of_nodes() const;

  const OnnxFile& source_;
  GraphBuilder graph_;
  GraphAssembler assembler_;
  ModuleHierarchy hierarchy_;
  NodeReader reader_;
  PlaceFinder places_;
  QuantisationReader quantisation_;
  ShapeRecorder shapes_;
  StoredTensors stored_;
  FormList forms_;
  std::map<std::string, const Function*> functions_;
  std::size_t regions_ = 0;
  std::string declared_;    ///< of the inputs and outputs of each graph
  std::string unconverted_; ///< bytes of what is neither an attribute in the graph nor a tensor
  std::vector<std::size_t> first_flat_; ///< per node of the model's own graph, and for the end
  int depth_ = 0;
  bool sizes_are_open_ = false; ///< whether a size of an input of the model is not declared
};

} // namespace model_validator::onnx_format
