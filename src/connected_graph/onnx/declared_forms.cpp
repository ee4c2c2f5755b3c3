#include "connected_graph/onnx/body_forms.h"
#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/form_list.h"
#include "connected_graph/onnx/function_forms.h"
#include "connected_graph/onnx/names_read.h"
#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/stored_forms.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::onnx_format {
namespace {

using Graph = ::onnx::GraphProto;
using Node = ::onnx::NodeProto;
using Nodes = google::protobuf::RepeatedPtrField<Node>;
using Names = std::set<std::string_view>;

/// What the graphs around a body have made by the time that it runs.
struct Around {
  const Around* outer = nullptr;
  Names values;
  Names stored;

  bool has(std::string_view name) const {
    return values.contains(name) || stored.contains(name) || (outer != nullptr && outer->has(name));
  }

  bool computes(std::string_view name) const {
    if (stored.contains(name)) return false;
    return values.contains(name) || (outer != nullptr && outer->computes(name));
  }
};

class Declarations {
public:
  Declarations(const OnnxFile& source, FormList& forms)
      : model_(source.model), forms_(forms), functions_(source.model, forms),
        stored_(source, forms) {}

  void read() {
    read_imports();
    read_inputs(model_.graph());
    read_graph(model_.graph(), nullptr);
    for (const auto& function : model_.functions()) read_function(function);
  }

private:
  void read_imports() {
    if (model_.opset_import().empty()) forms_.add("import-none", "the file imports no opset");
    for (const auto& opset : model_.opset_import()) {
      if (!is_default_domain(opset.domain())) continue;
      opset_ = static_cast<int>(std::clamp<std::int64_t>(opset.version(), 0, 1 << 20));
      if (opset.version() < 1)
        forms_.add("opset-zero", "the file imports opset " + std::to_string(opset.version()));
    }
  }

  /// Of the model; of a body they are held against its operator.
  void read_inputs(const Graph& graph) {
    std::map<std::string_view, const ::onnx::ValueInfoProto*> inputs;
    for (const auto& input : graph.input()) {
      if (!inputs.emplace(input.name(), &input).second)
        forms_.add("input-twice", "the input `" + input.name() + "` is declared twice");
      if (input.type().has_sequence_type())
        forms_.add("sequence-input", "the input `" + input.name() + "` is a sequence");
      if (!input.has_type())
        forms_.add("input-typeless", "the input `" + input.name() + "` is declared without a type");
    }
    for (const auto& output : graph.output()) {
      if (output.type().has_sequence_type())
        forms_.add("sequence-output", "the output `" + output.name() + "` is a sequence");
      if (!output.has_type())
        forms_.add("output-typeless",
                   "the output `" + output.name() + "` is declared without a type");
    }
    for (const auto& tensor : graph.initializer())
      if (const auto input = inputs.find(tensor.name()); input != inputs.end())
        hold_against(tensor, *input->second);
  }

  void hold_against(const ::onnx::TensorProto& tensor, const ::onnx::ValueInfoProto& input) {
    if (!input.type().has_tensor_type()) return;
    const auto& declared = input.type().tensor_type();
    bool fits = declared.elem_type() == tensor.data_type();
    if (declared.has_shape()) {
      fits = fits && declared.shape().dim_size() == tensor.dims_size();
      for (int i = 0; fits && i < tensor.dims_size(); ++i)
        fits = !declared.shape().dim(i).has_dim_value() ||
               declared.shape().dim(i).dim_value() == tensor.dims(i);
    }
    if (!fits)
      forms_.add("initializer-input-type", "the stored tensor `" + tensor.name() +
                                               "` is not of the type of the input of that name");
  }

  void read_graph(const Graph& graph, const Around* outer) {
    Around own{outer, {}, {}};
    for (const auto& input : graph.input()) own.values.insert(input.name());
    for (const auto& tensor : graph.initializer()) own.stored.insert(tensor.name());
    for (const auto& sparse : graph.sparse_initializer()) {
      own.stored.insert(sparse.values().name());
      forms_.add("sparse-initializer",
                 "the stored tensor `" + sparse.values().name() + "` is sparse");
    }
    stored_.read(graph);
    if (outer != nullptr) look_for_hidden(graph, *outer);
    read_nodes(graph.node(), own, outer == nullptr);
  }

  void read_body(const Graph& body, const Node& node, const Around& around) {
    read_graph(body, &around);
    Names own;
    for (const auto& input : body.input()) own.insert(input.name());
    for (const auto& tensor : body.initializer()) own.insert(tensor.name());
    for (const auto& sparse : body.sparse_initializer()) own.insert(sparse.values().name());
    for (const Node& inner : body.node()) own.insert(inner.output().begin(), inner.output().end());
    const char* kind = node.op_type() == "If" ? "arm-yields-outer" : "body-yields-outer";
    for (const auto& output : body.output())
      if (!own.contains(output.name()) && around.has(output.name()))
        forms_.add(kind, "a body of " + spoken(node) + " yields `" + output.name() +
                             "`, which is made outside it, as it is");
  }

  void read_function(const ::onnx::FunctionProto& function) {
    functions_.read(function);
    Around own;
    own.values.insert(function.input().begin(), function.input().end());
    read_nodes(function.node(), own, false);
  }

  /// @param outermost  whether the nodes are of the model's own graph
  void read_nodes(const Nodes& nodes, Around& own, bool outermost) {
    Names names;
    std::size_t number = 0;
    for (const Node& node : nodes) {
      if (outermost) forms_.at_node(number++);
      if (!node.name().empty() && !names.insert(node.name()).second)
        forms_.add("node-twice", "two nodes are called `" + node.name() + "`");
      if (node.domain() == "ai.onnx")
        forms_.add("domain-spelled", spoken(node) + " names the domain `ai.onnx`, which others "
                                                    "leave empty");
      functions_.read_call(node);
      stored_.read(node);
      add_body_forms(node, opset_, forms_);
      for (const Graph* body : graphs_of(node)) read_body(*body, node, own);
      if (node.op_type() == "Scan") look_for_outer(node, own);
      const bool stored = is_default_domain(node.domain()) && node.op_type() == "Constant";
      for (const std::string& output : node.output())
        if (!output.empty()) (stored ? own.stored : own.values).insert(output);
    }
    if (outermost) forms_.at_node(none);
  }

  void look_for_outer(const Node& scan, const Around& around) {
    const std::set<std::string_view> given(scan.input().begin(), scan.input().end());
    for (const std::string& name : names_read(scan))
      if (!given.contains(name) && around.computes(name))
        forms_.add("scan-reads-outer", spoken(scan) + " has a body that reads `" + name +
                                           "`, which is computed outside");
  }

  /// By the name of a value that was made before: of one that is made later nobody takes note.
  void look_for_hidden(const Graph& body, const Around& outer) {
    const auto hides = [&](const std::string& kind, const std::string& what, const auto& name) {
      if (!name.empty() && outer.has(name))
        forms_.add(kind, what + " `" + name + "` of a body has the name of a value outside it");
    };
    for (const auto& input : body.input()) hides("name-hidden-input", "the input", input.name());
    for (const auto& tensor : body.initializer())
      hides("name-hidden-initializer", "the stored tensor", tensor.name());
    for (const Node& node : body.node())
      for (const std::string& output : node.output()) hides("name-hidden", "the value", output);
  }

  const ::onnx::ModelProto& model_;
  FormList& forms_;
  int opset_ = 0; ///< of ONNX's own operators
  FunctionForms functions_;
  StoredForms stored_;
};

} // namespace

void add_declared_forms(const OnnxFile& source, FormList& forms) {
  Declarations(source, forms).read();
}

} // namespace model_validator::onnx_format
