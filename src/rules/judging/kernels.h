#pragma once

#include "rules/judging/file_node.h"

#include <model_validator/file_rules.h>

#include <string>
#include <vector>

namespace model_validator::rules {

enum class Kernel : char {
  found,   ///< whatever is not known of the dtypes
  missing, ///< whatever is not known of them
  depends, ///< on dtypes that are not known
};

/// Whether a runtime has a kernel for a node that its schema allows.
/// @param cast  dtypes that the runtime computes in float32 where there is no kernel for them
Kernel run_by_kernel(const OperatorVersion& version, const FileNode& node,
                     const std::vector<std::string>& cast);

} // namespace model_validator::rules
