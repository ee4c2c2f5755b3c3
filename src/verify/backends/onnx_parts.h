#pragma once

#include "verify/inputs/npz.h"

#include <memory>
#include <set>
#include <string>

namespace onnx {
class GraphProto;
class ModelProto;
} // namespace onnx

namespace model_validator::verify {

/// A model, and its large weights apart from it: what is made of the one need not copy the others.
struct OnnxParts {
  /// Says that its large weights lie one behind the other in another file.
  std::shared_ptr<const onnx::ModelProto> structure;
  NamedTensors weights; ///< in that order; they keep the model alive

  std::string serialised_structure() const;
};

/// What nodes read, at any depth, and what the graph is given or yields: ONNX Runtime drops a
/// weight that is none of these, and then takes no numbers for it.
std::set<std::string> names_used(const onnx::GraphProto& graph);

/// All in one part where weights lie in other files already.
OnnxParts parts_of(const std::shared_ptr<onnx::ModelProto>& model);

} // namespace model_validator::verify
