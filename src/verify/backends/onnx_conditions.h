#pragma once

#include "verify/backends/onnx_model.h"

#include <string>
#include <vector>

namespace model_validator::verify {

/// A value of the main graph by which a node decides something, and which is no output.
struct OnnxCondition {
  std::string value;
  std::string op;   ///< `If`, `Where`; what makes the value where it is joined with others
  std::string node; ///< its name, else that of its first result
};

/// In the order of the nodes. @throws Error for a file that cannot be read
std::vector<OnnxCondition> conditions_of_onnx(const OnnxModel& model);

} // namespace model_validator::verify
