#pragma once

#include "verify/reduce/attempt.h"
#include "verify/reduce/onnx_outline.h"

#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

/// A runtime that can be asked for ONNX files.
struct RuntimeKind {
  std::string_view name;     ///< `openvino`
  std::string_view words;    ///< `OpenVINO`
  std::string_view device;   ///< where it runs unless another is named
  std::string_view target;   ///< the one that tables judge for
  bool is_of_python = false; ///< only Python has it: it is no backend
  bool runs = true;          ///< otherwise it only loads models
};
/// Null for a command.
const RuntimeKind* kind_of(const std::string& backend);
/// Of a target; null where there is none.
const RuntimeKind* kind_for_target(std::string_view target);
/// Whether it loads a model and does not run it.
bool only_loads(const AskedRuntime& runner);
bool is_of_python(const AskedRuntime& runner);

/// @throws Error (`backend-refused`, `unknown-backend`) for a backend that takes no ONNX files
void require_runtime(const std::string& backend);

/// `ONNX Runtime 1.31.1, CPUExecutionProvider`, as nobody else needs to know it.
std::string runtime_in_words(const AskedRuntime& runner, const std::string& version);

/// Where ONNX Runtime runs a node.
struct PlacedNode {
  std::string provider, type, name;
};
/// What the program that asks left of it, a line of JSON for each.
std::vector<PlacedNode> placed_nodes(const std::string& lines);
/// `2 of 5 nodes run on CUDAExecutionProvider, the rest on CPUExecutionProvider: 3 × `NonZero``.
std::string in_words(const std::vector<PlacedNode>& nodes, const std::string& provider);

/// On one line, printable.
std::string in_one_line(const std::string& message);

/// What a person knows a node by.
std::string name_of(const OnnxNode& node);

} // namespace model_validator::verify
