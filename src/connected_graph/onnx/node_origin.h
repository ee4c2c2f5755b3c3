#pragma once

#include "connected_graph/python_trace.h"

#include <onnx-ml.pb.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace model_validator::onnx_format {

/// What an exporter recorded about where a node comes from.
struct NodeOrigin {
  std::vector<std::pair<std::string, std::string>> modules; ///< path and class, outermost first
  std::vector<TraceLine> trace;                             ///< outermost call first
  std::string operation;                                    ///< which operator of the traced graph
  std::string schema;                                       ///< `aten::add.Tensor`
  bool has_classes = false;
  bool known() const noexcept { return !modules.empty(); }
};

/// Reads the metadata of torch's exporter, or else the scope in the node's name, as torch's older
/// exporter wrote it.
NodeOrigin origin_of(const ::onnx::NodeProto& node);

/// The module path in a name such as `/layer1/layer1.0/conv1/Conv`: `layer1.0.conv1`.
/// Empty scopes give the root; a name without scope gives nothing.
std::vector<std::string> scope_paths(std::string_view node_name);

/// The strings of a Python list of strings: `['', 'conv1']`.
std::vector<std::string> parse_python_strings(std::string_view text);

} // namespace model_validator::onnx_format
