#pragma once

#include "verify/backends/onnx_model.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A tensor that a file stores in few bits, as it is used.
struct FewBitWeight {
  std::string layer;               ///< the node that reads it
  std::string name;                ///< of the stored tensor
  std::vector<std::int64_t> sizes; ///< as `numbers` lie
  std::vector<float> numbers;
  std::vector<float> steps;      ///< of each, the distance to its neighbours
  std::vector<std::int8_t> ends; ///< −1 or 1 where it is the least or the greatest that there is

  std::int64_t rows() const { return sizes.empty() ? 1 : sizes.front(); }
  std::int64_t columns() const {
    const auto count = static_cast<std::int64_t>(numbers.size());
    return rows() == 0 ? 0 : count / rows();
  }
};

/// What to store in place of a weight: as many numbers; empty to leave its own.
using FindOwnWeight = std::function<std::vector<float>(const FewBitWeight&)>;

struct UnroundedModel {
  SharedOnnxModel model;
  bool is_complete = false; ///< nothing in it is rounded to few bits any more
};

/// Makes a copy of a quantised ONNX file that computes in float32 what the file computes in few
/// bits, and rounds nothing: values go on as they are, and weights are the reference's own. What
/// differs then from the reference is no rounding.
/// @param reference  an ONNX model of which activations are taken that rounding to steps made
///     needless in the copy; null where it is none
/// @throws Error (`backend-refused`) where its weights lie in other files
UnroundedModel unrounded_onnx(OnnxModel& model, const SharedOnnxModel& reference,
                              const std::filesystem::path& folder, const FindOwnWeight& find_own);

/// Makes a copy that rounds as the file says and adds its products in float32: kernels of
/// processors that add them in sixteen bits lose what does not fit.
/// @returns the model itself where it has no such products, or its weights lie in other files
SharedOnnxModel onnx_in_float(const SharedOnnxModel& model, const std::filesystem::path& folder);

} // namespace model_validator::verify
