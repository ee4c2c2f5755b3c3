#pragma once

#include <model_validator/verify/inputs.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// A model and the inputs that its file declares.
struct DeclaredInputs {
  std::string path;
  const std::vector<InputNeed>& needs;
  bool has_any_layout = false; ///< channels may be last where the other file has them second
};

/// That a sample is made of what a file declares, as far as it does: of the same kind of numbers,
/// with as many dimensions. @throws Error (`bad-inputs`) naming the input
void require_declared(const DeclaredInputs& model, const Sample& sample);

/// That what the reference is run with is what the candidate takes, sizes that it fixes included.
/// @param sample  of the reference
/// @throws Error (`bad-inputs`) for two models of different inputs
void require_same_inputs(const DeclaredInputs& reference, const DeclaredInputs& candidate,
                         const Sample& sample);

} // namespace model_validator::verify
