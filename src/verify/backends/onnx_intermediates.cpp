#include "verify/backends/onnx_intermediates.h"

#include <model_validator/error.h>

#include <fstream>
#include <onnx-ml.pb.h>

namespace model_validator::verify {

OnnxIntermediates::OnnxIntermediates(const std::filesystem::path& file)
    : model_(std::make_unique<onnx::ModelProto>()) {
  std::ifstream stream(file, std::ios::binary);
  if (!model_->ParseFromIstream(&stream))
    throw Error("backend-refused", file.string(), "the ONNX file cannot be parsed");
  for (const auto& node : model_->graph().node())
    for (const auto& output : node.output())
      if (!output.empty()) names_.push_back(output);
}

OnnxIntermediates::~OnnxIntermediates() = default;

std::string OnnxIntermediates::with_outputs(std::size_t first, std::size_t last) const {
  auto exposed = *model_;
  exposed.mutable_graph()->clear_output();
  // The runtime infers their types.
  for (auto i = first; i < last; ++i) exposed.mutable_graph()->add_output()->set_name(names_[i]);
  return exposed.SerializeAsString();
}

} // namespace model_validator::verify
