#include "verify/backends/onnx_models.h"

#include "verify/backends/onnx_copy.h"

#include <model_validator/error.h>

#include <fstream>

namespace model_validator::verify {
namespace {

namespace fs = std::filesystem;

/// Bytes: of a larger one, a second copy in memory costs more than to parse it again.
constexpr std::uintmax_t max_kept = std::uintmax_t{512} << 20;

onnx::ModelProto parsed(const fs::path& file) {
  onnx::ModelProto model;
  std::ifstream stream(file, std::ios::binary);
  if (!model.ParseFromIstream(&stream))
    throw Error(ErrorKind::backend_refused, file.string(), "the ONNX file cannot be parsed");
  return model;
}

} // namespace

OnnxModels& OnnxModels::here() {
  static OnnxModels models;
  return models;
}

OnnxModels::Known& OnnxModels::known(const fs::path& file) {
  Known& found = known_[file];
  if (found.is_made) return found;
  std::error_code ignored; // that it is not there is said where it is parsed
  const auto written = fs::last_write_time(file, ignored);
  if (found.written != written) found = {written, false, nullptr, nullptr};
  return found;
}

std::shared_ptr<const onnx::ModelProto> OnnxModels::model(const fs::path& file) {
  Known& found = known(file);
  if (found.model) return found.model;
  const auto model = std::make_shared<const onnx::ModelProto>(parsed(file));
  if (fs::file_size(file) <= max_kept) found.model = model;
  return model;
}

std::shared_ptr<const OnnxIntermediates> OnnxModels::intermediates(const fs::path& file) {
  Known& found = known(file);
  if (!found.intermediates)
    found.intermediates = std::make_shared<const OnnxIntermediates>(*model(file));
  return found.intermediates;
}

void OnnxModels::make(const fs::path& path, onnx::ModelProto model) {
  known_.erase(path);
  if (model.ByteSizeLong() > max_kept) return write_onnx_copy(model, path);
  Known& made = known_[path];
  made.is_made = true;
  made.model = std::make_shared<const onnx::ModelProto>(std::move(model));
}

std::string OnnxModels::made(const fs::path& path) const {
  const auto found = known_.find(path);
  return found != known_.end() && found->second.is_made ? found->second.model->SerializeAsString()
                                                        : "";
}

} // namespace model_validator::verify
