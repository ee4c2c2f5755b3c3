#pragma once

#include <model_validator/program.h>
#include <model_validator/validator.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// The nodes of a quantised model, whatever its format, and what follows from them.
class ProgramView {
public:
  explicit ProgramView(const ConnectedGraph& graph);

  bool quantised() const { return program_->quantised; }
  const std::vector<ProgramNode>& nodes() const { return program_->nodes; }
  const ProgramNode& node(std::size_t id) const { return program_->nodes[id]; }
  const ProgramValue& value(std::size_t id) const { return program_->values[id]; }
  const std::vector<ValueReader>& readers(std::size_t value) const { return readers_[value]; }

  /// The value that a node reads there; `none` if it has no such input.
  std::size_t input(const ProgramNode& node, std::size_t number) const {
    return number < node.inputs.size() ? node.inputs[number] : none;
  }
  const ProgramNode* maker(std::size_t value) const { return program_->maker(value); }
  /// The node that dequantises this value directly; null if none does.
  const ProgramNode* dequantiser(std::size_t value) const;
  /// Whether the value depends on no input of the model.
  bool is_constant(std::size_t value) const { return value != none && constant_[value]; }
  /// Whether the value was quantised, looking back over operators that pass values on.
  bool comes_from_quantised(std::size_t value) const;

  /// A node as a sentence names it: by its name, else by its result.
  std::string spoken(const ProgramNode& node) const;
  /// A finding about a node, placed at its op.
  Diagnostic finding_of(const ProgramNode& node, const Diagnostics& diagnostics,
                        std::string message) const;

private:
  const ConnectedGraph& graph_;
  std::shared_ptr<const Program> program_;
  std::vector<std::vector<ValueReader>> readers_;
  std::vector<bool> constant_;
  std::vector<bool> from_quantised_;
};

/// `Conv` of `onnx::Conv`, `conv2d` of `aten::conv2d.default`.
std::string_view operator_of(const ProgramNode& node);
/// How many scales there are; 1 for a scalar, 0 where the number is not known.
std::size_t scale_count(const Quantisation& quantisation);
/// The scale of a channel, where one stands for all; none where it was not read.
std::optional<double> scale_of(const Quantisation& quantisation, std::size_t channel);

} // namespace model_validator
