#pragma once

#include "files/input_file.h"

namespace model_validator {

/// Whether the file is an ONNX ModelProto: its outermost fields are those of one, with a graph
/// among them. Fields are stepped over, not read.
/// @throws Error (`truncated-file`) for one whose last field is cut off
bool is_onnx(const InputFile& file);

} // namespace model_validator
