#pragma once

#include "files/scratch_folder.h"
#include "verify/backends/onnx_parts.h"
#include "verify/inputs/npz.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A value that a node of the main graph computes.
struct OnnxValue {
  std::string name;
  std::string op; ///< `Conv`
  std::vector<std::string>
      inputs;                    ///< values of other nodes that the node reads, subgraphs included
  std::string node;              ///< the node's name
  bool reads_inputs = false;     ///< those of the model
  std::string last_operand = {}; ///< where another node makes it
};

/// An ONNX model whose intermediate values can be made its outputs, and its inputs.
///
/// Large weights are kept in a file next to the model, so that every variant of it shares them, and
/// they need not stay in memory.
class OnnxIntermediates {
public:
  /// @throws Error (`cannot-write`)
  explicit OnnxIntermediates(const OnnxParts& parts);

  /// In the order of the nodes.
  const std::vector<OnnxValue>& values() const noexcept { return values_; }
  /// Names of the model's own outputs.
  const std::vector<std::string>& outputs() const noexcept { return outputs_; }
  /// Where the weights are; nothing where they are where the model says.
  std::filesystem::path weights() const;

  /// The model, serialised, with these values as outputs; the replaced ones are inputs, after the
  /// model's own.
  std::string variant(const std::vector<std::string>& outputs, const NamedTensors& replaced) const;

private:
  void write(const NamedTensors& weights);

  std::shared_ptr<const onnx::ModelProto> model_;
  std::vector<OnnxValue> values_;
  std::vector<std::string> outputs_;
  std::optional<ScratchFolder> weights_;
};

} // namespace model_validator::verify
