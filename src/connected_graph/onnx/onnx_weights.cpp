#include "connected_graph/onnx/onnx_weights.h"

#include "connected_graph/onnx/external_file.h"
#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/tensor.h"

#include <array>
#include <string_view>

namespace model_validator {
namespace {

using namespace onnx_format;

class Lister {
public:
  explicit Lister(const OnnxFile& source) : source_(source), external_(source.file.path()) {}

  std::vector<StoredWeights> list() {
    add_graph(source_.model.graph());
    for (const auto& function : source_.model.functions()) {
      add_nodes(function.node());
      for (const auto& defaulted : function.attribute_proto()) add_attribute(defaulted);
    }
    return std::move(weights_);
  }

private:
  void add_graph(const ::onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) add_tensor(tensor);
    for (const auto& sparse : graph.sparse_initializer()) add_sparse(sparse);
    add_nodes(graph.node());
  }

  // The depth of graphs was bounded when the file was filtered.
  void add_nodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes) {
    for (const auto& node : nodes)
      for (const auto& attribute : node.attribute()) {
        add_attribute(attribute);
        if (node.op_type() != "Constant" || node.output_size() == 0) continue;
        if (attribute.name().starts_with("value_float")) add_floats(node, attribute);
        if (attribute.has_t() && weights_.back().name.empty())
          weights_.back().name = node.output(0); // as its readers call it
      }
  }

  void add_attribute(const ::onnx::AttributeProto& attribute) {
    if (attribute.has_t()) add_tensor(attribute.t());
    for (const auto& tensor : attribute.tensors()) add_tensor(tensor);
    if (attribute.has_sparse_tensor()) add_sparse(attribute.sparse_tensor());
    for (const auto& sparse : attribute.sparse_tensors()) add_sparse(sparse);
    if (attribute.has_g()) add_graph(attribute.g());
    for (const auto& graph : attribute.graphs()) add_graph(graph);
  }

  /// Of a Constant that holds its numbers without a tensor.
  void add_floats(const ::onnx::NodeProto& constant, const ::onnx::AttributeProto& attribute) {
    StoredWeights stored;
    stored.file = source_.file.path();
    stored.name = constant.output(0);
    stored.dtype = "float32";
    if (attribute.has_f()) {
      append<float>(std::array{attribute.f()}, stored.bytes);
    } else {
      stored.shape = {static_cast<std::uint64_t>(attribute.floats_size())};
      append<float>(attribute.floats(), stored.bytes);
    }
    weights_.push_back(std::move(stored));
  }

  void add_sparse(const ::onnx::SparseTensorProto& sparse) {
    add_tensor(sparse.values());
    add_tensor(sparse.indices());
  }

  void add_tensor(const ::onnx::TensorProto& tensor) {
    StoredWeights stored;
    stored.file = source_.file.path();
    stored.name = tensor.name();
    stored.dtype = dtype_name(tensor.data_type());
    stored.shape.assign(tensor.dims().begin(), tensor.dims().end());
    const std::uint64_t size = byte_count(tensor, source_.file.path().string());
    if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL) {
      const ExternalPlace place = external_.place_of(tensor, size);
      stored.file = place.file;
      stored.spans = {{place.offset, place.length}};
      require_within(stored, std::filesystem::file_size(place.file));
    } else {
      stored.spans = spans_of(tensor.raw_data(), source_.filtered.tensor_data);
      if (stored.spans.empty()) stored.bytes = inline_bytes(tensor);
      if (is_float(stored.dtype) && total(stored) != size)
        stored.dtype.clear(); // encoded by protobuf
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

  /// Values short enough to be kept in the filtered model.
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

  const OnnxFile& source_;
  ExternalFiles external_;
  std::vector<StoredWeights> weights_;
};

} // namespace

std::vector<StoredWeights> list_onnx_weights(const std::filesystem::path& file) {
  return list_onnx_weights(OnnxFile(file));
}

std::vector<StoredWeights> list_onnx_weights(const onnx_format::OnnxFile& source) {
  return Lister(source).list();
}

} // namespace model_validator
