#pragma once

#include "verify/backends/onnx_narrowed.h"
#include "verify/command/precision.h"
#include "verify/localize/stepped_values.h"

#include <model_validator/verify/inputs.h>

#include <filesystem>
#include <map>
#include <string>

namespace model_validator::verify {

/// Results that depend on no input are weights: OpenVINO keeps those in few bits with the operators
/// that make them wide again. What it computes in is one dtype for all outputs.
/// @throws Error of the reader
Precision precision_of_openvino_model(const std::filesystem::path& file);

/// The ranges in which it rounds what it is given, by input. @throws Error of the reader
std::map<std::string, ValueRange> input_ranges_of_openvino_model(const std::filesystem::path& file);

/// Its values that are rounded to steps of one scale, by the names under which they are shown where
/// nothing is rounded. @throws Error of the reader
std::map<std::string, ValueSteps> steps_in_openvino_model(const std::filesystem::path& file);

/// The values that such a model rounds to steps, and the tables that it stores so, by the names of
/// the original model's tensors. @throws Error of the reader
SteppedNames values_rounded_by_openvino_model(const std::filesystem::path& file);

} // namespace model_validator::verify
