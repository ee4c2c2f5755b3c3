#pragma once

#include <model_validator/error.h>
#include <model_validator/source_location.h>

#include <torch/csrc/jit/ir/ir.h>

#include <exception>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What went wrong, in one line, without LibTorch's C++ frames.
std::string sentence_of(const std::exception& failure);

/// Where Python was when the node was recorded.
SourceLocation location_of(const torch::jit::Node& node);

/// The line of the user's own Python that led to the node: torch's own modules are skipped.
/// @param callers  the calls around it, outermost first
SourceLocation user_location(const torch::jit::Node& node,
                             const std::vector<const torch::jit::Node*>& callers);

/// A node failed: the error names it, its module and its line of Python.
Error failure_of(const torch::jit::Node& node, const std::string& module_path,
                 const std::exception& failure);

} // namespace model_validator::verify
