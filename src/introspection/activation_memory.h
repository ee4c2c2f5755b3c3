#pragma once

#include <model_validator/model.h>

namespace model_validator {

/// Of the values between ops, where their shapes are known, op after op in the order of the file.
ActivationMemory find_activation_memory(const ConnectedGraph& graph);

} // namespace model_validator
