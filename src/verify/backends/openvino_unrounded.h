#pragma once

#include "verify/backends/few_bit_weight.h"
#include "verify/backends/unrounded_file.h"

#include <filesystem>

namespace model_validator::verify {

/// How the reference orders the gates of recurrent layers, which OpenVINO orders in its own way.
enum class GateOrder : std::uint8_t { of_pytorch, of_onnx };

/// Makes a copy of a model of OpenVINO (`to`, with its weights beside it) that rounds nothing:
/// values go on as they are, and weights are those that `find_own` gives, or what the file's stand
/// for. Operators, their settings and the names of tensors stay.
/// @throws Error of the reader, (`cannot-write`)
UnroundedFile write_unrounded_openvino(const std::filesystem::path& model,
                                       const std::filesystem::path& to,
                                       const FindOwnWeight& find_own, GateOrder order);

} // namespace model_validator::verify
