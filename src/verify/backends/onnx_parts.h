#pragma once

#include "verify/inputs/npz.h"

#include <memory>
#include <string>

namespace onnx {
class ModelProto;
}

namespace model_validator::verify {

inline constexpr const char* weights_file = "weights";

/// A model, and its large weights apart from it: what is made of the one need not copy the others.
struct OnnxParts {
  /// Says that its large weights lie one behind the other in a file `weights`.
  std::shared_ptr<const onnx::ModelProto> structure;
  NamedTensors weights; ///< in that order; they keep the model alive

  std::string serialised_structure() const;
};

/// All in one part where weights lie in other files already.
OnnxParts parts_of(const std::shared_ptr<onnx::ModelProto>& model);

} // namespace model_validator::verify
