#pragma once

#include "introspection/folded_layer.h"

#include <string>

namespace model_validator {

/// What of a normalisation explains how a layer that it was folded into differs, in words that
/// follow its name; empty where the layer's own weights differ too.
/// @param layer  its weight and bias, with the reference's normalisation folded in
/// @param other_weight, other_bias  of the same shapes, of the candidate's layer
std::string norm_difference(const NormFactors& norm, const std::vector<LoadedTensor>& layer,
                            const TensorNumbers& other_weight, const TensorNumbers& other_bias);

} // namespace model_validator
