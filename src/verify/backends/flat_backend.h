#pragma once

#include "verify/inputs/npz.h"

#include <model_validator/verify/backend.h>

#include <functional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Calls of a module on the device: one after the other if state must be kept, else each on its own
/// copy.
ModelFunction in_calls(const torch::jit::Module& module, const BackendOptions& options);

/// A compiled model that knows only tensors by name.
using FlatFunction = std::function<NamedTensors(const NamedTensors&)>;

/// The same as a function of nested values: inputs become their leaves, named by input and path,
/// and the results a tuple with their names.
ModelFunction from_flat(FlatFunction function, std::vector<std::string> input_names);

/// A tuple whose items have names.
c10::IValue named_tuple(const NamedTensors& tensors);

/// A recorded graph takes tensors alone, and has numbers as constants.
enum class Leaves : bool { all, tensors };

/// The leaves of the inputs.
NamedTensors flat_inputs(const std::vector<c10::IValue>& inputs,
                         const std::vector<std::string>& input_names, Leaves leaves = Leaves::all);

} // namespace model_validator::verify
