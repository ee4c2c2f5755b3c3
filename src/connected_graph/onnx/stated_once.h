#pragma once

#include "files/byte_span.h"

#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// That nothing in a model is stated in two ways, of which one runtime takes the first, another the
/// second: a tensor's numbers in two fields, where they lie in another file, the opset of a domain,
/// an attribute of a node, or an operator of ONNX by a function of the file.
/// @param tensor_data  of the file's FilteredModel
/// @throws Error (`damaged-onnx`)
void require_stated_once(const ::onnx::ModelProto& model, const std::vector<ByteSpan>& tensor_data,
                         const std::string& path);

} // namespace model_validator::onnx_format
