#pragma once

#include "connected_graph/graph_assembler.h"
#include "connected_graph/module_aliases.h"
#include "connected_graph/module_depth.h"
#include "connected_graph/module_hierarchy.h"
#include "connected_graph/onnx/attributes.h"
#include "connected_graph/onnx/node_origin.h"
#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/scope.h"
#include "connected_graph/python_trace.h"

#include <model_validator/graph_reader.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// Whether a domain is that of ONNX's own operators.
bool is_default_domain(const std::string& domain);
/// `onnx::Conv`, `com.microsoft::Gelu`
std::string schema_of(const ::onnx::NodeProto& node);

/// Makes a ConnectedGraph of a parsed ONNX file.
class Converter {
public:
  Converter(const OnnxFile& source, const ReadOptions& options);
  /// @param ops_of_nodes  is given the ops that each node of the model's own graph stands for, in
  ///                      the order of the file, an operator with subgraphs before what they hold;
  ///                      null where nobody asks
  /// @throws Error (`damaged-onnx`, `too-large`)
  ConnectedGraph convert(std::vector<std::vector<OpId>>* ops_of_nodes = nullptr);

private:
  /// Where a node stands: in which modules, region and function.
  struct Place {
    std::vector<ModuleCall> stack;
    RegionId region = none;
    FrameId frame = none;
    std::string operation; ///< the operator that a function of the exporter stands for
    std::string schema;
    std::shared_ptr<const FunctionAttributes> attributes; ///< given to the function around
    const ::onnx::FunctionProto* function = nullptr;      ///< of the file, whose node it is
    int functions = 0;                                    ///< how many function calls are around
  };
  using Node = ::onnx::NodeProto;
  using Graph = ::onnx::GraphProto;

  void read_header();
  void read_graph(const Graph& graph);
  void declare_types(const Graph& graph, Scope& scope) const;
  void bind_initializers(const Graph& graph, Scope& scope);
  Binding bind_tensor(const ::onnx::TensorProto& tensor, const std::string& name);
  void bind(Scope& scope, const std::string& name, Binding binding) const;

  void convert_nodes(const google::protobuf::RepeatedPtrField<Node>& nodes, Scope& scope,
                     const Place& around);
  void convert_node(const Node& node, Scope& scope, const Place& around);
  void spend(std::size_t cost);
  const ::onnx::AttributeProto* given(const ::onnx::AttributeProto& attribute, const Place& place);
  void convert_constant(const Node& node, Scope& scope, const Place& place);
  void convert_operator(const Node& node, Scope& scope, const Place& place);
  void convert_call(const Node& node, const ::onnx::FunctionProto& function, Scope& scope,
                    const Place& place);
  void convert_with_subgraphs(const Node& node, Scope& scope, const Place& place);
  std::vector<Binding> convert_subgraph(const Node& node, const Graph& graph, const Scope& scope,
                                        const Place& place, bool is_arm);
  void bind_body_inputs(const Node& node, const Graph& graph, const Scope& outer, Scope& inner);

  Place place_of(const Node& node, const Place& around);
  std::vector<ModuleId> modules_of(const std::vector<ModuleCall>& stack) const;
  FlatNode flat_node(const Node& node, const Scope& scope, const Place& place) const;
  void add_inputs(const Node& node, const Scope& scope, FlatNode& to, bool& query) const;
  void add_attributes(const Node& node, const Place& place, FlatNode& to);
  void bind_outputs(const Node& node, Scope& scope, FlatNode& to, bool query,
                    const std::vector<KnownType>& types);
  const Binding* find(const Node& node, const std::string& input, const Scope& scope) const;
  const ::onnx::FunctionProto* function_of(const Node& node) const;
  /// What the node yields, as declared or as it follows from what it is; one an output.
  std::vector<KnownType> types_yielded(const Node& node, const Scope& scope,
                                       const Place& place) const;
  /// Keeps the node as a runtime meets it. @param flat  number of the flat node that it becomes
  void record(const Node& node, const Scope& scope, const Place& place,
              const std::vector<KnownType>& yielded, std::size_t flat);
  AttributeValue setting(const ::onnx::AttributeProto& attribute) const;
  void record_versions();
  void name_ops_of_nodes();
  std::vector<std::vector<OpId>> ops_of_nodes() const;
  std::vector<OwnedTensor> tensors_of_leaves();
  void attach_parameters();
  [[noreturn]] void fail(const std::string& what) const;

  const OnnxFile& source_;
  ConnectedGraph graph_;
  GraphAssembler assembler_;
  ModuleHierarchy hierarchy_;
  FrameTable frames_;
  std::map<std::string, const ::onnx::FunctionProto*> functions_;
  std::size_t regions_ = 0;
  std::size_t calls_ = 0;
  std::size_t cost_ = 0; ///< of all that was unfolded so far, a function at every call
  std::size_t most_cost_;
  bool records_;                          ///< whether the nodes themselves are kept
  std::vector<std::size_t> flat_numbers_; ///< of each node that is kept
  std::vector<std::size_t> first_flat_;   ///< of each node of the model's own graph, and of the end
  int depth_ = 0;
  std::vector<ModuleCall> last_stack_;
};

} // namespace model_validator::onnx_format
