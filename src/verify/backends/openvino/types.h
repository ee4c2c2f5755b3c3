#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/jit_type.h>
#include <openvino/core/any.hpp>
#include <openvino/core/type/element_type.hpp>

namespace model_validator::verify {

/// @throws Error (`backend-refused`) for a dtype OpenVINO does not have
ov::element::Type to_openvino(c10::ScalarType type);
c10::ScalarType to_torch(const ov::element::Type& type);

/// A TorchScript type as the PyTorch front end of OpenVINO spells it.
ov::Any describe_type(const c10::TypePtr& type);

} // namespace model_validator::verify
