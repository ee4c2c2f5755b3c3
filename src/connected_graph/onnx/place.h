#pragma once

#include "connected_graph/onnx/attributes.h"

#include <model_validator/program.h>

#include <memory>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// Where a node is: its modules, region and function.
struct Place {
  std::vector<ModuleCall> stack;
  RegionId region = none;
  bool surely = true;  ///< it runs whenever the model runs, also where it is in a body
  bool by_data = true; ///< or what the model is given decides: there are values for which it does
  FrameId frame = none;
  std::string operation; ///< the operator that an exporter's function represents
  std::string schema;
  std::shared_ptr<const FunctionAttributes> attributes; ///< given to the enclosing function
  const ::onnx::FunctionProto* function = nullptr;      ///< in the file, containing the node
};

} // namespace model_validator::onnx_format
