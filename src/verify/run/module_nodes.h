#pragma once

#include <torch/csrc/jit/api/module.h>

#include <functional>

namespace model_validator::verify {

/// Shows every node of all code that a module has, each before those inside of it. Nodes may be
/// changed, and others inserted before the one that is shown.
void visit_nodes(const torch::jit::Module& module,
                 const std::function<void(torch::jit::Node&)>& visit);

} // namespace model_validator::verify
