#pragma once

#include <model_validator/model.h>

namespace model_validator {

/// Of every convolution, linear layer and matrix product, where the shapes are known.
/// @param trace  how often each of them runs; null where each is taken to run once
MultiplyAccumulates count_multiply_accumulates(const ConnectedGraph& graph,
                                               const Trace* trace = nullptr);

} // namespace model_validator
