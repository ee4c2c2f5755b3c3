#pragma once

#include <model_validator/model.h>

namespace model_validator {

/// Of every convolution, linear layer and matrix product, where the shapes are known.
MultiplyAccumulates count_multiply_accumulates(const ConnectedGraph& graph);

} // namespace model_validator
