#pragma once

#include "connected_graph/flat_node.h"
#include "connected_graph/onnx/attributes.h"

#include <memory>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// Where a node stands: in which modules, region and function.
struct Place {
  std::vector<ModuleCall> stack;
  RegionId region = none;
  FrameId frame = none;
  std::string operation; ///< the operator that a function of the exporter stands for
  std::string schema;
  std::shared_ptr<const FunctionAttributes> attributes; ///< given to the function around
  const ::onnx::FunctionProto* function = nullptr;      ///< of the file, whose node it is
};

} // namespace model_validator::onnx_format
