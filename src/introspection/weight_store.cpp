#include "introspection/weight_store.h"

#include "connected_graph/exported_program/exported_weights.h"
#include "connected_graph/onnx/onnx_weights.h"
#include "introspection/torchscript_weights.h"
#include "introspection/zip_weights.h"

#include <model_validator/graph_reader.h>

namespace model_validator {

std::vector<StoredWeights> list_weights(const std::filesystem::path& file) {
  if (recognise(file) == FileFormat::onnx) return list_onnx_weights(file);
  return list_zip_weights(file);
}

std::vector<StoredWeights> list_named_weights(const std::filesystem::path& file) {
  switch (recognise(file)) {
  case FileFormat::onnx: return list_onnx_weights(file);
  case FileFormat::exported_program: return list_exported_weights(file);
  default: return list_torchscript_weights(file);
  }
}

} // namespace model_validator
