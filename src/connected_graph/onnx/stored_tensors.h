#pragma once

#include "connected_graph/onnx/onnx_file.h"

#include <onnx-ml.pb.h>

namespace model_validator::onnx_format {

/// Puts the bytes of every tensor into a part of a model that was parsed without them. Weights in
/// external files are included, so that the part needs no other file.
/// @throws Error (`missing-weights`, `too-large`)
void restore_tensors(::onnx::NodeProto& part, const OnnxFile& source);
void restore_tensors(::onnx::GraphProto& part, const OnnxFile& source);

} // namespace model_validator::onnx_format
