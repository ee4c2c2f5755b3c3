#include "connected_graph/onnx/onnx_reader.h"

#include "connected_graph/onnx/converter.h"

namespace model_validator {

ConnectedGraph read_onnx(const std::filesystem::path& file, const ReadOptions& options) {
  const onnx_format::OnnxFile source(file);
  return onnx_format::Converter(source, options).convert();
}

} // namespace model_validator
