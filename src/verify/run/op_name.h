#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What the nodes of a torch.export program are in the model's graph: they say so themselves.

namespace model_validator::verify {

/// The op that a node is, or is a part of. Empty where the node does not say.
inline std::string op_name_of(const torch::jit::Node& node) {
  const auto name = c10::Symbol::attr("op_name");
  return node.hasAttribute(name) ? node.s(name) : "";
}

inline void set_op_name(torch::jit::Node& node, const std::string& name) {
  node.s_(c10::Symbol::attr("op_name"), name);
}

/// Which output of its node's op a value is; nullopt for what stays inside the op.
inline std::optional<std::size_t> op_output_of(const torch::jit::Value& value) {
  const auto outputs = c10::Symbol::attr("op_outputs");
  if (!value.node()->hasAttribute(outputs)) return std::nullopt;
  const std::int64_t output = value.node()->is(outputs).at(value.offset());
  return output < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(output));
}

inline void set_op_output(torch::jit::Value& value, const std::string& op, std::size_t output) {
  torch::jit::Node& node = *value.node();
  const auto name = c10::Symbol::attr("op_outputs");
  std::vector<std::int64_t> outputs(node.outputs().size(), -1);
  if (node.hasAttribute(name)) outputs = node.is(name);
  outputs.at(value.offset()) = static_cast<std::int64_t>(output);
  node.is_(name, std::move(outputs));
  set_op_name(node, op);
}

} // namespace model_validator::verify
