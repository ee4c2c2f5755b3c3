#pragma once

#include "verify/backends/bound_inputs.h"

#include <model_validator/verify/backend.h>

#include <ATen/core/Tensor.h>
#include <openvino/runtime/compiled_model.hpp>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A flat TorchScript graph as an OpenVINO model. @throws Error (`backend-refused`)
std::shared_ptr<ov::Model> convert_graph(const std::shared_ptr<torch::jit::Graph>& graph);

/// What a model is compiled for.
struct Device {
  std::string name = "CPU";
  unsigned threads = 0; ///< of the CPU; 0: as many as it has
};
Device device_of(const BackendOptions& options);

/// Compiles in float32 where the model says float32.
ov::CompiledModel compile_for(const Device& device, const std::shared_ptr<ov::Model>& model);

std::vector<InputPort> ports_of(const ov::Model& model);

/// The inputs in the model's own order. @param note  see `bound_inputs`
std::vector<at::Tensor> bound_to(const std::vector<InputPort>& ports, const NamedTensors& given,
                                 const std::function<void(const std::string&)>& note);

/// Runs it. @param inputs  in the model's own order
std::vector<at::Tensor> infer(ov::CompiledModel& model, const std::vector<at::Tensor>& inputs);

} // namespace model_validator::verify
