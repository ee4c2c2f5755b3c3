#pragma once

#include <filesystem>
#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::verify {

/// `axis=1, kernel_shape=[3, 3]`, shortened; empty where a node has none.
std::string attributes_in_words(const ::onnx::NodeProto& node);

} // namespace model_validator::verify
