#include "verify/backends/onnx_model.h"

#include "connected_graph/onnx/wire_filter.h"
#include "verify/backends/onnx_copy.h"

#include <model_validator/error.h>

#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <fstream>

namespace model_validator::verify {
namespace {

namespace fs = std::filesystem;

/// Bytes: of a larger one, a second copy in memory costs more than to parse it again.
constexpr std::uintmax_t max_kept = std::uintmax_t{512} << 20;

constexpr int read_at_once = 1 << 20; ///< bytes

Error cannot_be_parsed(const fs::path& file) {
  return {ErrorKind::backend_refused, file.string(), "the ONNX file cannot be parsed"};
}

onnx::ModelProto parsed(const fs::path& file) {
  onnx::ModelProto model;
  std::ifstream stream(file, std::ios::binary);
  google::protobuf::io::IstreamInputStream blocks(&stream, read_at_once);
  if (!model.ParseFromZeroCopyStream(&blocks) || !stream.eof()) throw cannot_be_parsed(file);
  return model;
}

} // namespace

OnnxModel::OnnxModel(onnx::ModelProto made, const fs::path& folder) {
  if (made.ByteSizeLong() > max_kept)
    write_onnx_copy(made, file_ = folder / "made.onnx");
  else
    proto_ = std::make_shared<onnx::ModelProto>(std::move(made));
}

std::shared_ptr<onnx::ModelProto> OnnxModel::own() {
  if (proto_) return proto_;
  auto proto = std::make_shared<onnx::ModelProto>(parsed(file_));
  if (fs::file_size(file_) <= max_kept) proto_ = proto;
  return proto;
}

std::shared_ptr<const onnx::ModelProto> OnnxModel::nodes() const {
  if (proto_) return proto_;
  auto nodes = std::make_shared<onnx::ModelProto>();
  if (!nodes->ParseFromString(onnx_format::without_tensor_data(InputFile(file_)).bytes))
    throw cannot_be_parsed(file_);
  return nodes;
}

std::shared_ptr<const OnnxIntermediates> OnnxModel::intermediates() {
  if (!intermediates_) intermediates_ = std::make_shared<const OnnxIntermediates>(parts());
  return intermediates_;
}

void OnnxModel::forget() {
  if (file_.empty()) return;
  proto_.reset();
  intermediates_.reset();
}

} // namespace model_validator::verify
