#pragma once

#include "verify/backends/bound_inputs.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// An ONNX model in ONNX Runtime.
struct OnnxSession {
  std::vector<InputPort> inputs;
  std::vector<InputPort> outputs;
  /// Takes as many as `inputs`, in that order and of those dtypes. @throws Error
  /// (`unsupported-value`, `run-failed`)
  std::function<NamedTensors(const NamedTensors& given)> run;
};

struct OnnxSessionOptions {
  unsigned threads = 0;      ///< 0: one for every core
  bool optimise = true;      ///< false: every node is run as the file has it
  std::string provider;      ///< `CUDAExecutionProvider`; empty: the CPU's
  std::string model;         ///< the model itself, instead of what the file holds
  NamedTensors at_hand = {}; ///< those of that model's external weights that lie in no file
};

/// @throws Error (`backend-missing`) naming the Python package, (`backend-refused`)
OnnxSession open_onnx(const std::filesystem::path& file, const OnnxSessionOptions& options = {});

/// ONNX Runtime's release. @throws Error (`backend-missing`)
std::string onnxruntime_version();

} // namespace model_validator::verify
