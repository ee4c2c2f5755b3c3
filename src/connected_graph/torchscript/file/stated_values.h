#pragma once

#include <model_validator/quantisation.h>

#include <ATen/core/ivalue.h>

#include <memory>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// Objects whose class has a `__setstate__` that was not run, with the state it would be given.
using UnsetObjects = std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, c10::IValue>>;

/// Sets the attributes that `__setstate__` would take from the state as they are, without running
/// it: `self.stride = state[3]`.
void set_plain_attributes(c10::ivalue::Object& object, const c10::IValue& state);

/// How a quantised tensor stores its numbers; null for any other. Of its numbers only the scales
/// are read, and zero points.
std::shared_ptr<const Quantisation> quantisation_of(const at::Tensor& tensor);

} // namespace model_validator::torchscript
