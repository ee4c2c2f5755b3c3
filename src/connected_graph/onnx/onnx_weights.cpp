#include "connected_graph/onnx/onnx_weights.h"

#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/tensor.h"

#include <model_validator/error.h>

#include <charconv>

namespace model_validator {
namespace {

using namespace onnx_format;

std::string external(const ::onnx::TensorProto& tensor, const std::string& key) {
  for (const auto& entry : tensor.external_data())
    if (entry.key() == key) return entry.value();
  return {};
}

std::uint64_t number(const std::string& text, std::uint64_t otherwise) {
  std::uint64_t value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

class Lister {
public:
  explicit Lister(const OnnxFile& source) : source_(source) {}

  std::vector<StoredWeights> list() {
    add_graph(source_.model.graph());
    for (const auto& function : source_.model.functions()) add_nodes(function.node());
    return std::move(weights_);
  }

private:
  void add_graph(const ::onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) add_tensor(tensor);
    for (const auto& sparse : graph.sparse_initializer()) {
      add_tensor(sparse.values());
      add_tensor(sparse.indices());
    }
    add_nodes(graph.node());
  }

  // The depth of graphs is bounded where the file was filtered.
  void add_nodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes) {
    for (const auto& node : nodes)
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_t()) add_tensor(attribute.t());
        for (const auto& tensor : attribute.tensors()) add_tensor(tensor);
        if (attribute.has_g()) add_graph(attribute.g());
        for (const auto& graph : attribute.graphs()) add_graph(graph);
      }
  }

  void add_tensor(const ::onnx::TensorProto& tensor) {
    StoredWeights stored;
    stored.file = source_.file.path();
    if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL) {
      stored.file = external_file(tensor);
      const std::uint64_t offset = number(external(tensor, "offset"), 0);
      const std::uint64_t size = byte_count(tensor, source_.file.path().string());
      stored.spans = {{offset, number(external(tensor, "length"), size)}};
    } else {
      stored.spans = spans_of(tensor.raw_data(), source_.filtered.tensor_data);
    }
    if (stored.spans.empty()) stored.bytes = inline_bytes(tensor);
    weights_.push_back(std::move(stored));
  }

  /// Values so short that they were not left out.
  static std::string inline_bytes(const ::onnx::TensorProto& tensor) {
    ::onnx::TensorProto values;
    *values.mutable_float_data() = tensor.float_data();
    *values.mutable_int32_data() = tensor.int32_data();
    *values.mutable_int64_data() = tensor.int64_data();
    *values.mutable_double_data() = tensor.double_data();
    *values.mutable_uint64_data() = tensor.uint64_data();
    *values.mutable_string_data() = tensor.string_data();
    return values.SerializeAsString();
  }

  /// A file that lies beside the model, or beneath.
  std::filesystem::path external_file(const ::onnx::TensorProto& tensor) const {
    const std::filesystem::path location = external(tensor, "location");
    const std::filesystem::path normal = location.lexically_normal();
    const std::string model = source_.file.path().string();
    if (location.empty() || location.is_absolute() || *normal.begin() == "..")
      throw Error("missing-weights", model,
                  "tensor `" + tensor.name() + "` lies outside the model's folder",
                  "save the model again with its weights beside it");
    const std::filesystem::path file = source_.file.path().parent_path() / normal;
    if (!std::filesystem::is_regular_file(file))
      throw Error("missing-weights", model,
                  "the weights of the model are missing: " + file.string(),
                  "put the file of weights beside the model");
    return file;
  }

  const OnnxFile& source_;
  std::vector<StoredWeights> weights_;
};

} // namespace

std::vector<StoredWeights> list_onnx_weights(const std::filesystem::path& file) {
  const OnnxFile source(file);
  return Lister(source).list();
}

} // namespace model_validator
