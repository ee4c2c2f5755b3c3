#include "connected_graph/onnx/stored_tensors.h"

#include "connected_graph/onnx/external_file.h"
#include "connected_graph/onnx/tensor.h"
#include "files/input_file.h"

#include <model_validator/error.h>

namespace model_validator::onnx_format {
namespace {

void append(const InputFile& file, std::uint64_t offset, std::uint64_t count, std::string& bytes) {
  const bool there = offset <= file.size() && count <= file.size() - offset;
  const std::string read = there ? file.read_at(offset, count) : std::string();
  if (!there || read.size() != count)
    throw Error(ErrorKind::missing_weights, file.path().string(), "the weight file is too short",
                "export the model again");
  bytes += read;
}

void restore_external(::onnx::TensorProto& tensor, const OnnxFile& source) {
  const std::uint64_t size = byte_count(tensor, source.file.path().string());
  const auto place = ExternalFiles(source.file.path()).place_of(tensor, size);
  std::string bytes;
  append(InputFile(place.file), place.offset, place.length, bytes);
  tensor.clear_external_data();
  tensor.clear_data_location();
  tensor.set_raw_data(std::move(bytes));
}

void restore(::onnx::TensorProto& tensor, const OnnxFile& source) {
  if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL)
    return restore_external(tensor, source);
  const auto spans = spans_of(tensor.raw_data(), source.filtered.tensor_data);
  if (spans.empty()) return;
  std::string bytes;
  for (const ByteSpan& span : spans) append(source.file, span.offset, span.size, bytes);
  tensor.set_raw_data(std::move(bytes));
}

} // namespace

void restore_tensors(::onnx::GraphProto& part, const OnnxFile& source) {
  for (auto& tensor : *part.mutable_initializer()) restore(tensor, source);
  for (auto& tensor : *part.mutable_sparse_initializer()) {
    restore(*tensor.mutable_values(), source);
    restore(*tensor.mutable_indices(), source);
  }
  for (auto& node : *part.mutable_node()) restore_tensors(node, source);
}

void restore_tensors(::onnx::NodeProto& part, const OnnxFile& source) {
  for (auto& attribute : *part.mutable_attribute()) {
    if (attribute.has_t()) restore(*attribute.mutable_t(), source);
    for (auto& tensor : *attribute.mutable_tensors()) restore(tensor, source);
    if (attribute.has_sparse_tensor()) {
      restore(*attribute.mutable_sparse_tensor()->mutable_values(), source);
      restore(*attribute.mutable_sparse_tensor()->mutable_indices(), source);
    }
    if (attribute.has_g()) restore_tensors(*attribute.mutable_g(), source);
    for (auto& graph : *attribute.mutable_graphs()) restore_tensors(graph, source);
  }
}

} // namespace model_validator::onnx_format
