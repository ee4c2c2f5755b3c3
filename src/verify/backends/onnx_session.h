#pragma once

#include "verify/inputs/npz.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// An input or output of an ONNX model.
struct OnnxPort {
  std::string name;
  std::optional<DType> dtype; ///< none: not a tensor of numbers
  Shape shape;                ///< -1 for a dimension that is free
};

/// An ONNX model in ONNX Runtime.
class OnnxSession {
public:
  virtual ~OnnxSession() = default;
  virtual const std::vector<OnnxPort>& inputs() const = 0;
  virtual const std::vector<OnnxPort>& outputs() const = 0;
  /// Inputs are taken by name when all names are the model's, else by position.
  /// @throws Error (`bad-inputs`, `run-failed`)
  virtual NamedTensors run(const NamedTensors& inputs) = 0;
};

struct OnnxSessionOptions {
  unsigned threads = 0;          ///< 0: one for every core
  bool optimise = true;          ///< false: every node is run as the file has it
  std::string provider;          ///< `CUDAExecutionProvider`; empty: the CPU's
  std::string model;             ///< the model itself, instead of what the file holds
  std::filesystem::path weights; ///< folder of that model's external weights; the file's if empty
};

/// @throws Error (`backend-missing`) naming the Python package, (`backend-refused`)
std::unique_ptr<OnnxSession> open_onnx(const std::filesystem::path& file,
                                       const OnnxSessionOptions& options = {});

/// Sorts inputs into the order of the ports. @throws Error (`bad-inputs`)
NamedTensors in_order_of(const std::vector<OnnxPort>& ports, const NamedTensors& inputs);

} // namespace model_validator::verify
