#pragma once

#include <ATen/core/ivalue.h>
#include <openvino/core/node_vector.hpp>

namespace model_validator::verify {

/// The constant as OpenVINO holds it; empty for what it has no constants for (strings, None).
ov::OutputVector to_constant(const c10::IValue& value);

} // namespace model_validator::verify
