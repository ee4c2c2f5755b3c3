#pragma once

#include <cstdint>
#include <filesystem>
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

struct UnroundedFile {
  std::filesystem::path path;
  bool is_complete = false; ///< nothing in it is rounded to few bits any more
};

/// Makes a copy of a quantised ONNX file that computes in float32 what the file computes in few
/// bits, and rounds nothing: values go on as they are, and weights are the reference's own. What
/// differs then from the reference is no rounding.
/// @param reference  an ONNX file of which activations are taken that rounding to steps made
///     needless in the copy; empty where it is none
/// @throws Error (`backend-refused`) where its weights lie in other files
UnroundedFile write_unrounded_onnx(const std::filesystem::path& model,
                                   const std::filesystem::path& reference,
                                   const std::filesystem::path& folder,
                                   const FindOwnWeight& find_own);

/// Makes a copy that rounds as the file says and adds its products in float32: kernels of
/// processors that add them in sixteen bits lose what does not fit.
/// @returns an empty path where the file has no such products, or its weights lie in other files
std::filesystem::path write_onnx_in_float(const std::filesystem::path& model,
                                          const std::filesystem::path& folder);

} // namespace model_validator::verify
