#pragma once

#include "verify/backends/onnx_session.h"

#include <functional>

namespace model_validator::verify {

/// Inputs in the order of the ports, in the dtypes that these declare: floating-point numbers for
/// floating-point numbers, whole ones for whole ones. Other dtypes stay, and are refused.
/// @param note  told what was converted; may be empty
/// @throws Error (`bad-inputs`) where a number does not fit
NamedTensors inputs_for(const std::vector<OnnxPort>& ports, const NamedTensors& given,
                        const std::function<void(const std::string&)>& note);

} // namespace model_validator::verify
