#include "connected_graph/onnx/onnx_weights.h"

#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/tensor.h"

#include <model_validator/error.h>

#include <charconv>
#include <string_view>

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
    stored.name = tensor.name();
    stored.dtype = dtype_name(tensor.data_type());
    const std::uint64_t size = byte_count(tensor, source_.file.path().string());
    if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL) {
      stored.file = external_file(tensor);
      const std::uint64_t offset = number(external(tensor, "offset"), 0);
      stored.spans = {{offset, number(external(tensor, "length"), size)}};
    } else {
      stored.spans = spans_of(tensor.raw_data(), source_.filtered.tensor_data);
      if (stored.spans.empty()) stored.bytes = inline_bytes(tensor);
      if (is_float(stored.dtype) && total(stored) != size)
        stored.dtype.clear(); // coded by protobuf
    }
    weights_.push_back(std::move(stored));
  }

  static bool is_float(std::string_view dtype) {
    return dtype.starts_with("float") || dtype.starts_with("bfloat") ||
           dtype.starts_with("complex");
  }
  static std::uint64_t total(const StoredWeights& stored) {
    std::uint64_t bytes = stored.bytes.size();
    for (const ByteSpan& span : stored.spans) bytes += span.size;
    return bytes;
  }

  template <class Number, class Field> static void append(const Field& field, std::string& bytes) {
    for (const auto value : field) {
      const auto number = static_cast<Number>(value);
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
  }

  /// Values so short that they were not left out.
  static std::string inline_bytes(const ::onnx::TensorProto& tensor) {
    using T = ::onnx::TensorProto;
    std::string bytes;
    append<float>(tensor.float_data(), bytes);
    append<double>(tensor.double_data(), bytes);
    if (tensor.data_type() == T::FLOAT16 || tensor.data_type() == T::BFLOAT16)
      append<std::uint16_t>(tensor.int32_data(), bytes);
    else
      append<std::int32_t>(tensor.int32_data(), bytes);
    append<std::int64_t>(tensor.int64_data(), bytes);
    append<std::uint64_t>(tensor.uint64_data(), bytes);
    for (const std::string& text : tensor.string_data())
      bytes += std::to_string(text.size()) + ':' + text;
    return bytes;
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
