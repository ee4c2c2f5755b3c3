#pragma once

#include <model_validator/program.h>

#include <optional>
#include <string>
#include <vector>

namespace model_validator::test {

/// What a node takes or yields; nothing where it is left out.
using Operand = std::optional<ProgramValue>;

/// @param sizes  -1 where one is not known; none: not even how many there are
inline ProgramValue operand(const std::string& dtype,
                            std::optional<std::vector<std::int64_t>> sizes = std::nullopt) {
  return {.name = "value", .type = {std::move(sizes), dtype}};
}

/// A node of an ONNX file with its own operands.
struct FileNode {
  std::string schema;
  std::vector<Operand> inputs;
  std::vector<Attribute> attributes = {};
  int opset = 20;
  std::vector<Operand> outputs = {operand("")};
};

inline Program program_of(const std::vector<FileNode>& nodes) {
  Program program;
  const auto add = [&program](const std::vector<Operand>& operands, std::vector<ValueId>& to) {
    for (const Operand& each : operands) {
      to.push_back(each ? program.values.size() : none);
      if (each) program.values.push_back(*each);
    }
  };
  for (const FileNode& node : nodes) {
    ProgramNode& added = program.nodes.emplace_back();
    added.schema = node.schema;
    added.attributes = node.attributes;
    added.opset = node.opset;
    add(node.inputs, added.inputs);
    add(node.outputs, added.outputs);
  }
  return program;
}

} // namespace model_validator::test
