#pragma once

#include "verify/backends/onnx_model.h"

#include <cstring>
#include <filesystem>
#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Whether weights lie in other files.
bool has_external_weights(const onnx::ModelProto& model);

/// With all its weights. @throws Error (`backend-refused`) for a file that cannot be parsed, and
/// where some lie in other files
onnx::ModelProto whole_copy_of(OnnxModel& model);

/// @throws Error (`cannot-write`)
void write_onnx_copy(const onnx::ModelProto& model, const std::filesystem::path& file);

/// The float32 numbers of a tensor; none of another dtype.
std::vector<float> floats_in(const onnx::TensorProto& tensor);
void store(const std::vector<float>& numbers, onnx::TensorProto& tensor);

/// Replaces each of the numbers that these bytes are.
template <class Number, class Change> void change_each(std::string& bytes, const Change& change) {
  for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
    Number number;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    number = change(number);
    std::memcpy(bytes.data() + at, &number, sizeof number);
  }
}

onnx::NodeProto& add_node(onnx::GraphProto& graph, const char* type,
                          const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs);
/// @param type  of ONNX's numbers for dtypes
void add_cast(onnx::GraphProto& graph, const std::string& from, const std::string& to, int type);

} // namespace model_validator::verify
