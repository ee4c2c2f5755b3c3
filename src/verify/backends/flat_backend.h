#pragma once

#include "verify/inputs/npz.h"

#include <model_validator/verify/backend.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A compiled model that knows only tensors by name.
using FlatFunction = std::function<NamedTensors(const NamedTensors&)>;

/// The same as a function of nested values: inputs become their leaves, named by input and path,
/// and the results a tuple with their names.
ModelFunction from_flat(FlatFunction function, std::vector<std::string> input_names);

/// An input in the dtype that a file declares: a floating-point number for another, a whole one for
/// another. What is of another kind stays as it is, and is refused by the runtime.
/// @param note  told what was converted; may be empty
/// @throws Error (`bad-inputs`) where a number does not fit
Tensor as_declared(const NamedTensor& input, std::optional<DType> declared,
                   const std::function<void(const std::string&)>& note);

/// A tuple whose items have names.
c10::IValue named_tuple(const NamedTensors& tensors);

/// The leaves of the inputs.
NamedTensors flat_inputs(const std::vector<c10::IValue>& inputs,
                         const std::vector<std::string>& input_names);

} // namespace model_validator::verify
