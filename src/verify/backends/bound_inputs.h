#pragma once

#include "verify/inputs/npz.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// An input that a compiled model takes.
struct InputPort {
  std::string name;
  std::optional<DType> dtype;                ///< none: not a tensor of numbers, or any
  Shape shape;                               ///< -1 for a free dimension; empty: it may not say
  std::vector<std::string> other_names = {}; ///< that it goes by, too
  bool has_any_layout = false; ///< it may have the channels last of an input that has them second
};

/// What a compiled model is given, in its order and dtypes: by name, what is left on either side in
/// order. A number becomes one of another dtype where that holds it.
/// @param note  told what was converted, and what the model does not take; may be empty
/// @throws Error (`bad-inputs`) where something is missing or does not fit
NamedTensors bound_inputs(const std::vector<InputPort>& ports, const NamedTensors& given,
                          const std::function<void(const std::string&)>& note);

/// An input as a number of the dtype that a file declares; what is no number stays as it is.
/// @throws Error (`bad-inputs`) where that dtype does not hold it
Tensor as_declared(const NamedTensor& input, std::optional<DType> declared,
                   const std::function<void(const std::string&)>& note);

} // namespace model_validator::verify
