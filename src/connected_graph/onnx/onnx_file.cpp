#include "connected_graph/onnx/onnx_file.h"

#include "connected_graph/onnx/node_order.h"
#include "connected_graph/onnx/stated_once.h"

#include <model_validator/error.h>

#include <google/protobuf/stubs/logging.h>

namespace model_validator::onnx_format {

OnnxFile::OnnxFile(const std::filesystem::path& path)
    : file(path), filtered(without_tensor_data(file)) {
  const google::protobuf::LogSilencer quiet;
  const bool parsed = model.ParseFromString(filtered.bytes);
  if (!parsed || !model.has_graph() || model.ir_version() <= 0)
    throw Error(ErrorKind::damaged_onnx, path.string(), "the file is not a complete ONNX model",
                "export the model again, or fetch the file again");
  filtered.bytes = {};
  require_stated_once(model, filtered.tensor_data, path.string());
  sort_nodes(model);
}

} // namespace model_validator::onnx_format
