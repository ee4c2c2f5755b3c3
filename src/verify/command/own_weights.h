#pragma once

#include "verify/backends/onnx_restored.h"

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What a weight of a copy keeps of the reference's, as signal to noise in dB.
struct WeightRatio {
  std::string layer; ///< the node of the copy
  double kept;       ///< by the copy
  double explained;  ///< by the reference's weight, rounded in the same way
};

/// The matrices of a reference, of any format, that weights of a copy in few bits stand for.
class OwnWeights {
public:
  /// Reads them. @throws Error of the readers
  explicit OwnWeights(const std::filesystem::path& reference);

  /// The most similar one of the size, as it lies or turned; empty where none is similar.
  std::vector<float> of(const FewBitWeight& weight);

  const std::vector<WeightRatio>& ratios() const { return ratios_; } ///< of those asked for

private:
  struct Matrix {
    std::int64_t rows, columns;
    std::vector<float> numbers;
  };
  std::vector<Matrix> matrices_;
  std::vector<WeightRatio> ratios_;
};

} // namespace model_validator::verify
