#include "connected_graph/onnx/onnx_reader.h"

#include "connected_graph/onnx/converter.h"

namespace model_validator {

ConnectedGraph read_onnx(const std::filesystem::path& file, const ReadOptions& options) {
  const onnx_format::OnnxFile source(file);
  return onnx_format::Converter(source, options).convert();
}

InputSizeNames name_onnx_sizes(const std::filesystem::path& file) {
  const onnx_format::OnnxFile source(file);
  InputSizeNames names;
  for (const auto& input : source.model.graph().input())
    for (const auto& dimension : input.type().tensor_type().shape().dim())
      names[input.name()].push_back(dimension.dim_param());
  return names;
}

} // namespace model_validator
