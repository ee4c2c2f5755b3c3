#pragma once

#include "verify/backends/few_bit_weight.h"
#include "verify/backends/onnx_model.h"

#include <filesystem>

namespace model_validator::verify {

struct UnroundedModel {
  SharedOnnxModel model;
  bool is_complete = false; ///< nothing in it is rounded to few bits any more
  bool is_guessed = false;  ///< steps that begin at zero may stand for a ReLU, or for none
};

/// What becomes of steps that begin at zero, where no reference says whether they stand for a ReLU
/// that the quantiser left out, or whether calibration met no number below zero.
enum class BelowZero : bool {
  is_cut_off,                ///< all of them are a ReLU
  is_kept_where_it_is_little ///< none is that cuts off less than a hundredth of its values
};

/// Makes a copy of a quantised ONNX file that computes in float32 what the file computes in few
/// bits, and rounds nothing: values go on as they are, and weights are the reference's own. What
/// differs then from the reference is no rounding.
/// @param reference  an ONNX model of which activations are taken that rounding to steps made
///     needless in the copy; null where it is none
/// @throws Error (`backend-refused`) where its weights lie in other files
UnroundedModel unrounded_onnx(OnnxModel& model, const SharedOnnxModel& reference,
                              const std::filesystem::path& folder, const FindOwnWeight& find_own,
                              BelowZero below_zero);

/// Makes a copy that rounds as the file says and adds its products in float32: kernels of
/// processors that add them in sixteen bits lose what does not fit.
/// @returns the model itself where it has no such products, or its weights lie in other files
SharedOnnxModel onnx_in_float(const SharedOnnxModel& model, const std::filesystem::path& folder);

} // namespace model_validator::verify
