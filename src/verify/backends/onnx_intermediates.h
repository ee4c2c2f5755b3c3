#pragma once

#include "verify/backends/onnx_parts.h"
#include "verify/inputs/npz.h"

#include <map>
#include <memory>
#include <set>
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

/// What nodes are to compute in a session of their own.
struct OnnxPartRequest {
  std::vector<std::string> values, later; ///< what is asked for now, and afterwards
  const NamedTensors& at_hand;            ///< what nodes read need not be computed
  const std::set<std::string>& not_kept;  ///< what no other part can be given
};

/// What a session is opened with.
struct OnnxVariant {
  std::string model;    ///< serialised
  NamedTensors weights; ///< the large ones that it reads
};

/// The nodes that do.
struct OnnxPart {
  OnnxVariant variant;
  std::set<std::string> inputs;     ///< besides the model's own
  std::vector<std::string> outputs; ///< the values, and then what is needed afterwards
  std::set<std::string> read_later; ///< of all that is then at hand
};

/// An ONNX model whose intermediate values can be made its outputs, and its inputs.
///
/// Every variant shares the large weights of the model, which they keep alive.
class OnnxIntermediates {
public:
  explicit OnnxIntermediates(OnnxParts parts);

  /// In the order of the nodes.
  const std::vector<OnnxValue>& values() const noexcept { return values_; }
  /// Names of the model's own outputs.
  const std::vector<std::string>& outputs() const noexcept { return outputs_; }
  /// What of the model gives these values; the replaced ones are inputs, after the model's own.
  OnnxVariant variant(const std::vector<std::string>& outputs, const NamedTensors& replaced) const;

  /// Values that are at hand and asked for are computed all the same.
  OnnxPart part(const OnnxPartRequest& asked) const;

private:
  using Names = std::set<std::string>;
  std::vector<bool> nodes_for(const std::vector<std::string>& values, const Names& at_hand) const;
  Names read_by(const std::vector<bool>& nodes) const;
  OnnxVariant model_of(const std::vector<bool>& nodes, const Names& read, const OnnxPart& part,
                       const NamedTensors& at_hand) const;
  OnnxVariant with_weights(const onnx::ModelProto& model) const;

  OnnxParts parts_;
  std::vector<std::vector<std::string>> reads_; ///< by node
  std::map<std::string, int> makers_;           ///< nodes, by what they give
  std::vector<OnnxValue> values_;
  std::vector<std::string> outputs_;
};

} // namespace model_validator::verify
