#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <string>

namespace model_validator::verify {

/// The op of the model's graph that a node is, or is a part of, where the node itself says so: that
/// of a torch.export program does.
inline std::string op_name_of(const torch::jit::Node& node) {
  const auto name = c10::Symbol::attr("op_name");
  return node.hasAttribute(name) ? node.s(name) : "";
}

inline void set_op_name(torch::jit::Node& node, const std::string& name) {
  node.s_(c10::Symbol::attr("op_name"), name);
}

} // namespace model_validator::verify
