#include "connected_graph/onnx/onnx_file.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/node_order.h"

#include <model_validator/error.h>

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace model_validator::onnx_format {
namespace {

/// Makes sure that nothing in a model is stated in two ways, of which one runtime takes the first,
/// another the second: a tensor's numbers in two fields, where they lie in another file, the opset
/// of a domain, an attribute of a node, or an operator of ONNX by a function of the file.
class Inspector {
public:
  /// @param tensor_data  of the file's FilteredModel
  Inspector(const std::vector<ByteSpan>& tensor_data, const std::string& path)
      : tensor_data_(tensor_data), path_(path) {}

  /// @throws Error (`damaged-onnx`)
  void inspect(const ::onnx::ModelProto& model) {
    for (const auto& function : model.functions())
      if (!functions_.emplace(function.domain(), function.name(), function.overload()).second)
        fail("function `" + function.name() + "` is given twice");
    require_one_opset_each(model.opset_import());
    inspect(model.graph());
    for (const auto& function : model.functions()) inspect(function);
  }

private:
  void inspect(const ::onnx::FunctionProto& function) const {
    require_own_name(function);
    require_one_opset_each(function.opset_import());
    inspect(function.node());
    for (const auto& defaulted : function.attribute_proto()) {
      require_no_graph(defaulted, function.name());
      inspect(defaulted);
    }
  }

  void inspect(const ::onnx::GraphProto& graph) const {
    for (const auto& tensor : graph.initializer()) inspect(tensor);
    for (const auto& sparse : graph.sparse_initializer()) inspect(sparse);
    inspect(graph.node());
  }

  // The depth of graphs was bounded when the file was filtered.
  void inspect(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes) const {
    for (const auto& node : nodes) {
      require_operator(node);
      if (is_default_domain(node.domain()) && node.op_type() == "Constant") require_one_value(node);
      std::set<std::string_view> names;
      for (const auto& attribute : node.attribute()) {
        if (attribute.name().empty())
          fail("an attribute of node `" + node.name() + "` has no name");
        if (!names.insert(attribute.name()).second)
          fail("attribute `" + attribute.name() + "` of node `" + node.name() + "` is given twice");
        inspect(attribute);
      }
    }
  }

  /// Runtimes pass over a node without an operator in a function, and over overloads of their own.
  void require_operator(const ::onnx::NodeProto& node) const {
    if (node.op_type().empty()) fail("node `" + node.name() + "` names no operator");
    const bool is_call = functions_.contains({node.domain(), node.op_type(), node.overload()});
    if (!node.overload().empty() && !is_call)
      fail("node `" + node.name() + "` names an overload that no function of the file has");
    for (const auto& attribute : node.attribute())
      if (is_call) require_no_graph(attribute, node.op_type());
  }

  /// What a function runs is in the function.
  void require_no_graph(const ::onnx::AttributeProto& attribute,
                        const std::string& function) const {
    if (attribute.has_g() || attribute.graphs_size() > 0)
      fail("function `" + function + "` is given a graph to run, `" + attribute.name() + "`");
  }

  void require_one_value(const ::onnx::NodeProto& node) const {
    using A = ::onnx::AttributeProto;
    static const std::map<std::string_view, A::AttributeType> values{
        {"value", A::TENSOR},        {"sparse_value", A::SPARSE_TENSOR},
        {"value_int", A::INT},       {"value_ints", A::INTS},
        {"value_float", A::FLOAT},   {"value_floats", A::FLOATS},
        {"value_string", A::STRING}, {"value_strings", A::STRINGS}};
    const auto known =
        node.attribute_size() == 1 ? values.find(node.attribute(0).name()) : values.end();
    if (known == values.end() || node.attribute(0).type() != known->second)
      fail("constant `" + node.name() + "` does not have exactly one value");
  }

  /// Runtimes go by the type, or refuse a file without it.
  void require_value_of_type(const ::onnx::AttributeProto& attribute) const {
    using A = ::onnx::AttributeProto;
    std::vector<A::AttributeType> held;
    const auto note = [&held](bool holds, A::AttributeType type) {
      if (holds) held.push_back(type);
    };
    note(attribute.has_f(), A::FLOAT);
    note(attribute.has_i(), A::INT);
    note(attribute.has_s(), A::STRING);
    note(attribute.has_t(), A::TENSOR);
    note(attribute.has_g(), A::GRAPH);
    note(attribute.has_sparse_tensor(), A::SPARSE_TENSOR);
    note(attribute.floats_size() > 0, A::FLOATS);
    note(attribute.ints_size() > 0, A::INTS);
    note(attribute.strings_size() > 0, A::STRINGS);
    note(attribute.tensors_size() > 0, A::TENSORS);
    note(attribute.graphs_size() > 0, A::GRAPHS);
    note(attribute.sparse_tensors_size() > 0, A::SPARSE_TENSORS);
    if (held.size() > 1) fail("attribute `" + attribute.name() + "` has values of several types");
    const bool passed_on = !attribute.ref_attr_name().empty(); // by the caller of a function
    if (attribute.type() == A::UNDEFINED && !passed_on)
      fail("attribute `" + attribute.name() + "` has no type");
    if (!held.empty() && (held.front() != attribute.type() || passed_on))
      fail("the value of attribute `" + attribute.name() + "` is not of its type");
  }

  void inspect(const ::onnx::AttributeProto& attribute) const {
    require_value_of_type(attribute);
    if (attribute.has_t()) inspect(attribute.t());
    for (const auto& tensor : attribute.tensors()) inspect(tensor);
    if (attribute.has_sparse_tensor()) inspect(attribute.sparse_tensor());
    for (const auto& sparse : attribute.sparse_tensors()) inspect(sparse);
    if (attribute.has_g()) inspect(attribute.g());
    for (const auto& graph : attribute.graphs()) inspect(graph);
  }

  void inspect(const ::onnx::SparseTensorProto& sparse) const {
    inspect(sparse.values());
    inspect(sparse.indices());
  }

  void inspect(const ::onnx::TensorProto& tensor) const {
    const int inside = has_raw_bytes(tensor) + (tensor.float_data_size() > 0) +
                       (tensor.int32_data_size() > 0) + (tensor.string_data_size() > 0) +
                       (tensor.int64_data_size() > 0) + (tensor.double_data_size() > 0) +
                       (tensor.uint64_data_size() > 0);
    const int outside = tensor.data_location() == ::onnx::TensorProto::EXTERNAL;
    if (inside + outside > 1)
      fail("the numbers of tensor `" + tensor.name() + "` are given in two ways");
    if (outside != 0) inspect_place(tensor);
  }

  void inspect_place(const ::onnx::TensorProto& tensor) const {
    static const std::set<std::string_view> known{"location", "offset", "length", "checksum",
                                                  "basepath"};
    std::set<std::string_view> keys;
    for (const auto& entry : tensor.external_data()) {
      if (!keys.insert(entry.key()).second)
        fail("the " + entry.key() + " of tensor `" + tensor.name() +
             "` in its file is given twice");
      if (entry.value().empty())
        fail("the " + entry.key() + " of tensor `" + tensor.name() + "` in its file is empty");
      if (!known.contains(entry.key()) && !entry.key().starts_with("prepacked"))
        fail("`" + entry.key() + "` says nothing of where tensor `" + tensor.name() + "` lies");
    }
    if (!keys.contains("location")) fail("the file of tensor `" + tensor.name() + "` is not named");
  }

  bool has_raw_bytes(const ::onnx::TensorProto& tensor) const {
    const auto spans = spans_of(tensor.raw_data(), tensor_data_);
    return std::any_of(spans.begin(), spans.end(),
                       [](const ByteSpan& span) { return span.size > 0; });
  }

  void require_one_opset_each(
      const google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>& opsets) const {
    std::map<std::string_view, std::int64_t> versions;
    for (const auto& opset : opsets) {
      const std::string_view domain = is_default_domain(opset.domain()) ? "" : opset.domain();
      if (versions.emplace(domain, opset.version()).first->second != opset.version())
        fail("the opset of domain `" + std::string(domain.empty() ? "ai.onnx" : domain) +
             "` is given twice");
    }
  }

  /// Runtimes run their own operator where a function of the file has its name.
  void require_own_name(const ::onnx::FunctionProto& function) const {
    if (is_default_domain(function.domain()) || function.domain() == "com.microsoft")
      fail("function `" + function.name() +
           "` of the file is in a domain of the runtimes, which run their own operator of that "
           "name");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::damaged_onnx, path_, what,
                "export the model again; do not trust this file if it is not yours");
  }

  const std::vector<ByteSpan>& tensor_data_;
  const std::string& path_;
  /// Of the file: domain, name and overload.
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> functions_;
};

} // namespace

OnnxFile::OnnxFile(const std::filesystem::path& path)
    : file(path), filtered(without_tensor_data(file)) {
  const google::protobuf::LogSilencer quiet;
  const bool parsed = model.ParseFromString(filtered.bytes);
  if (!parsed || !model.has_graph() || model.ir_version() <= 0)
    throw Error(ErrorKind::damaged_onnx, path.string(), "the file is not a complete ONNX model",
                "export the model again, or fetch the file again");
  filtered.bytes = {};
  Inspector(filtered.tensor_data, path.string()).inspect(model);
  unordered = sort_nodes(model);
}

} // namespace model_validator::onnx_format
