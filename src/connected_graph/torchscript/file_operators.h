#pragma once

#include <model_validator/connected_graph.h>

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace model_validator::torchscript {

/// The operators in the code of a method and of all that it calls, one for each place, whose values
/// can reach what their function returns. Arms that cannot run are included: nothing is evaluated.
std::vector<Operator> file_operators(const torch::jit::Module& root, const std::string& method);

} // namespace model_validator::torchscript
