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
#include <unordered_map>
#include <vector>

namespace model_validator::onnx_format {
namespace {

using Graph = ::onnx::GraphProto;
using Node = ::onnx::NodeProto;
using Nodes = google::protobuf::RepeatedPtrField<Node>;
using Names = std::set<std::string_view>;

/// Whether a type says what it is a type of.
bool has_dtype(const ::onnx::ValueInfoProto& value) {
  const auto& type = value.type();
  return value.has_type() && (!type.has_tensor_type() || type.tensor_type().elem_type() != 0);
}

/// What a graph and those around it have made by the time that one of its nodes runs.
class Around {
public:
  explicit Around(Around* outer = nullptr) : outer_(outer) {}

  void add(std::string_view name, bool stored) {
    if (!name.empty()) own_[name].stored = stored;
  }

  bool has(std::string_view name) { return find(name) != nullptr; }

  bool computes(std::string_view name) {
    const Value* found = find(name);
    return found != nullptr && !found->stored;
  }

  void read(std::string_view name) {
    if (Value* found = find(name)) found->read = true;
  }

  /// Of what the graph itself makes.
  bool reads(std::string_view name) const {
    const auto found = own_.find(name);
    return found == own_.end() || found->second.read;
  }
  bool makes(std::string_view name) const { return own_.contains(name); }

private:
  struct Value {
    bool stored = false;
    bool read = false;
  };

  Value* find(std::string_view name) {
    if (const auto found = own_.find(name); found != own_.end()) return &found->second;
    return outer_ == nullptr ? nullptr : outer_->find(name);
  }

  Around* outer_;
  std::unordered_map<std::string_view, Value> own_;
};

class Declarations {
public:
  Declarations(const OnnxFile& source, FormList& forms)
      : model_(source.model), forms_(forms), functions_(source.model, forms),
        stored_(source, forms) {
    for (const std::string& each : source.unordered)
      forms.add(each.starts_with("the function") ? "function-order" : "body-order",
                each + " has nodes that read what later ones make");
  }

  void read() {
    read_imports();
    read_inputs(model_.graph());
    read_outputs(model_.graph());
    read_graph(model_.graph(), nullptr);
    for (const auto& function : model_.functions()) read_function(function);
    read_uses();
  }

private:
  void read_imports() {
    // OpenVINO knows a file as one of ONNX by either.
    if (model_.opset_import().empty())
      forms_.add(model_.producer_name().empty() ? "import-none" : "import-none-named",
                 "the file imports no opset");
    for (const auto& opset : model_.opset_import()) {
      if (!is_default_domain(opset.domain())) continue;
      opset_ = static_cast<int>(std::clamp<std::int64_t>(opset.version(), 0, 1 << 20));
      if (opset.version() < 1)
        forms_.add("opset-zero", "the file imports opset " + std::to_string(opset.version()));
    }
  }

  /// What is declared of domains and functions against what all nodes are of, and call.
  void read_uses() {
    const auto hold = [this](const auto& imports, const std::string& whose) {
      for (const auto& each : imports)
        if (!is_default_domain(each.domain()) && !domains_.contains(each.domain()))
          forms_.add("unused-import",
                     whose + " imports `" + each.domain() + "`, of which it has no node");
    };
    hold(model_.opset_import(), "the file");
    for (const auto& function : model_.functions())
      hold(function.opset_import(), "the function `" + function.name() + "`");
    functions_.read_uncalled();
  }

  /// What a graph declares, and nothing reads. Its nodes have been read.
  void read_unread(const Graph& graph, const Around& own) {
    for (const auto& tensor : graph.initializer())
      if (!own.reads(tensor.name()))
        forms_.add("unused-tensor", "nothing reads the stored tensor `" + tensor.name() + "`");
    for (const auto& value : graph.value_info())
      if (!own.makes(value.name()))
        forms_.add("unused-value-info",
                   "a type is declared of the value `" + value.name() + "`, which nothing makes");
  }

  void read_unread(const Nodes& nodes, const Around& own) {
    for (const Node& node : nodes)
      if (std::ranges::none_of(node.output(), [&](const auto& each) { return own.reads(each); }))
        forms_.add("unused-node", "nothing reads what " + spoken(node) + " yields");
  }

  static bool is_unranked(const ::onnx::ValueInfoProto& input) {
    return has_dtype(input) && input.type().has_tensor_type() &&
           !input.type().tensor_type().has_shape();
  }

  /// Of the model; of a body they are held against its operator.
  void read_inputs(const Graph& graph) {
    std::map<std::string_view, const ::onnx::ValueInfoProto*> inputs;
    for (const auto& input : graph.input()) {
      if (!inputs.emplace(input.name(), &input).second)
        forms_.add("input-twice", "the input `" + input.name() + "` is declared twice");
      if (input.type().has_sequence_type())
        forms_.add("sequence-input", "the input `" + input.name() + "` is a sequence");
      if (!has_dtype(input))
        forms_.add("input-typeless", "the input `" + input.name() + "` is declared without a type");
    }
    for (const auto& tensor : graph.initializer())
      if (const auto input = inputs.find(tensor.name()); input != inputs.end()) {
        hold_against(tensor, *input->second);
        inputs.erase(input); // what is stored says its rank
      }
    for (const auto& [name, input] : inputs)
      if (is_unranked(*input))
        forms_.add("input-unranked",
                   "the input `" + input->name() + "` is declared without a rank");
  }

  void read_outputs(const Graph& graph) {
    if (graph.output().empty()) forms_.add("output-none", "the graph has no output");
    for (const auto& output : graph.output()) {
      if (!has_dtype(output))
        forms_.add(output.has_type() ? "output-undefined" : "output-typeless",
                   "the output `" + output.name() + "` is declared without a " +
                       (output.has_type() ? "dtype" : "type"));
    }
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

  void read_graph(const Graph& graph, Around* outer) {
    Around own(outer);
    for (const auto& input : graph.input()) own.add(input.name(), false);
    for (const auto& tensor : graph.initializer()) own.add(tensor.name(), true);
    for (const auto& sparse : graph.sparse_initializer()) {
      own.add(sparse.values().name(), true);
      forms_.add("sparse-initializer",
                 "the stored tensor `" + sparse.values().name() + "` is sparse");
    }
    stored_.read(graph);
    if (outer != nullptr) look_for_hidden(graph, *outer);
    read_nodes(graph.node(), own, outer == nullptr);
    for (const auto& output : graph.output()) own.read(output.name());
    read_unread(graph, own);
    read_unread(graph.node(), own);
  }

  void read_body(const Graph& body, const Node& node, Around& around) {
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
    for (const std::string& input : function.input()) own.add(input, false);
    read_nodes(function.node(), own, false);
    for (const std::string& output : function.output()) own.read(output);
    read_unread(function.node(), own);
  }

  void read_name(const Node& node, Names& names) {
    if (!node.name().empty() && !names.insert(node.name()).second)
      forms_.add("node-twice", "two nodes are called `" + node.name() + "`");
  }

  /// @param outermost  whether the nodes are of the model's own graph
  void read_nodes(const Nodes& nodes, Around& own, bool outermost) {
    Names names;
    std::size_t number = 0;
    for (const Node& node : nodes) {
      if (outermost) forms_.at_node(number++);
      // ONNX Runtime counts no stored value as a node.
      const bool stored = is_default_domain(node.domain()) && node.op_type() == "Constant";
      if (!stored) read_name(node, names);
      if (node.domain() == "ai.onnx")
        forms_.add("domain-spelled", spoken(node) + " names the domain `ai.onnx`, which others "
                                                    "leave empty");
      for (const std::string& input : node.input()) own.read(input);
      look_for_left_out(node);
      domains_.insert(node.domain());
      functions_.read_call(node);
      stored_.read(node);
      add_body_forms(node, opset_, forms_);
      for (const Graph* body : graphs_of(node)) read_body(*body, node, own);
      if (node.op_type() == "Scan") look_for_outer(node, own);
      for (const std::string& output : node.output()) own.add(output, stored);
    }
    if (outermost) forms_.at_node(none);
  }

  void look_for_left_out(const Node& node) {
    if (is_default_domain(node.domain()) && node.op_type() == "Split" &&
        std::ranges::any_of(node.output(), &std::string::empty))
      forms_.add("split-result-left-out", spoken(node) + " leaves out a part");
  }

  void look_for_outer(const Node& scan, Around& around) {
    const std::set<std::string_view> given(scan.input().begin(), scan.input().end());
    for (const std::string& name : names_read(scan))
      if (!given.contains(name) && around.computes(name))
        forms_.add("scan-reads-outer", spoken(scan) + " has a body that reads `" + name +
                                           "`, which is computed outside");
  }

  /// By the name of a value that was made before: of one that is made later nobody takes note.
  void look_for_hidden(const Graph& body, Around& outer) {
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
  int opset_ = 0;                      ///< of ONNX's own operators
  std::set<std::string_view> domains_; ///< of all nodes
  FunctionForms functions_;
  StoredForms stored_;
};

} // namespace

void add_declared_forms(const OnnxFile& source, FormList& forms) {
  Declarations(source, forms).read();
}

} // namespace model_validator::onnx_format
