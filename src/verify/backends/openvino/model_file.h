#pragma once

#include <model_validator/verify/backend.h>

#include <openvino/core/model.hpp>

#include <memory>
#include <vector>

namespace model_validator::verify {

/// A file that OpenVINO has read, and the inputs in the model's own order.
struct OpenVinoFile {
  std::shared_ptr<ov::Model> model;
  std::vector<at::Tensor> inputs;
};

/// Reads a file as it is or, where OpenVINO refuses its open shapes, with the shapes of the inputs.
/// @throws Error (`backend-refused`)
OpenVinoFile read_for(const BackendInput& input, const std::vector<c10::IValue>& inputs);

/// Compiles a file for the CPU as it is or, where OpenVINO refuses that or fails when it runs, for
/// the shapes of the inputs, which is noted. @throws Error (`backend-refused`)
ModelFunction compile_file(const BackendInput& input, const std::vector<c10::IValue>& examples,
                           const BackendOptions& options);

} // namespace model_validator::verify
