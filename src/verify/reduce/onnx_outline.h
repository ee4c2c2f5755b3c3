#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What a node is given at one place.
struct OnnxOperand {
  std::string value;  ///< its name; empty where it is left out
  std::string stored; ///< of a weight or constant what matters of it: `float32 [8, 3]`
};

/// A graph that a node holds.
struct OnnxBody {
  std::vector<std::string> inputs;
  std::vector<std::string> reads; ///< from outside
};

/// A node of the main graph of an ONNX file. A constant is none.
struct OnnxNode {
  std::string type; ///< `onnx::Conv`
  std::string name;
  std::vector<std::string> reads; ///< what its bodies take from outside among them
  std::vector<std::string> yields;
  std::string attributes;            ///< in words
  std::string identity;              ///< operator, opset, attributes and which outputs it has
  std::vector<OnnxOperand> operands; ///< what its bodies take from outside after its own
  std::vector<OnnxBody> bodies;
};

/// The nodes of an ONNX file, and what passes between them.
struct OnnxOutline {
  std::vector<OnnxNode> nodes;      ///< in an order in which they can run
  std::vector<std::string> inputs;  ///< that are no weights
  std::vector<std::string> outputs; ///< that a node yields
  std::vector<std::string> stored;  ///< weights and constants
  std::vector<std::string> free;    ///< values that are declared with sizes that are left free
  std::vector<std::string> opsets;  ///< `ai.onnx 17`
  std::vector<std::string> beside;  ///< files with weights, by their names
};

template <class Archive> void describe(Archive& archive, OnnxOperand& operand) {
  archive(operand.value, operand.stored);
}

template <class Archive> void describe(Archive& archive, OnnxBody& body) {
  archive(body.inputs, body.reads);
}

template <class Archive> void describe(Archive& archive, OnnxNode& node) {
  archive(node.type, node.name, node.reads, node.yields, node.attributes, node.identity,
          node.operands, node.bodies);
}

template <class Archive> void describe(Archive& archive, OnnxOutline& outline) {
  archive(outline.nodes, outline.inputs, outline.outputs, outline.stored, outline.free,
          outline.opsets, outline.beside);
}

/// For a process that can only compute. @throws Error (`damaged-onnx`, …)
OnnxOutline outline_onnx(const std::filesystem::path& file);

/// How nodes of a file depend on each other.
class OnnxFlow {
public:
  explicit OnnxFlow(OnnxOutline outline);

  const OnnxOutline& outline() const noexcept { return outline_; }
  bool is_stored(const std::string& value) const { return stored_.contains(value); }
  bool is_free(const std::string& value) const { return free_.contains(value); }
  /// Of `nodes`, those that the values are computed by, as far as others are not given.
  std::vector<std::size_t> makers(const std::vector<std::string>& values,
                                  const std::vector<std::size_t>& nodes,
                                  const std::set<std::string>& given = {}) const;
  /// What the nodes read and do not yield, without what is stored, in the order of reading.
  std::vector<std::string> read_from_outside(const std::vector<std::size_t>& nodes) const;
  std::set<std::string> yielded(const std::vector<std::size_t>& nodes) const;
  /// What the nodes yield and none of them reads.
  std::vector<std::string> ends(const std::vector<std::size_t>& nodes) const;
  std::vector<std::size_t> all() const;

private:
  OnnxOutline outline_;
  std::set<std::string> stored_, free_;
};

} // namespace model_validator::verify
