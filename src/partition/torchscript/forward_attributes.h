#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::partition {

/// Forwards a value that the model assigns to an attribute to later readers of the attribute, if
/// nothing else can have been assigned in between. The assignment to an attribute of the module
/// stays; an object that the model makes goes if all its readers are served.
void forward_attributes(torch::jit::Graph& graph);

} // namespace model_validator::partition
