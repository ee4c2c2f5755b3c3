#pragma once

#include "introspection/weight_store.h"
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

  /// For each the most similar one of its size, as it lies or turned; where none is similar, the
  /// only one of its size that is left; else empty.
  std::vector<std::vector<float>> of(const std::vector<FewBitWeight>& weights);

  const std::vector<WeightRatio>& ratios() const { return ratios_; } ///< of those found

private:
  /// Some numbers of each are kept to tell them apart; it is read again when it is taken.
  struct Matrix {
    std::int64_t rows, columns;
    StoredWeights stored;
    std::vector<float> as_it_lies, turned;
    bool is_used = false;
  };
  struct Match {
    Matrix* matrix = nullptr;
    bool is_turned = false;
  };
  Match most_similar(const FewBitWeight& weight);
  Match only_one_left(const FewBitWeight& weight);
  std::vector<float> take(const FewBitWeight& weight, const Match& match);
  std::vector<Matrix> matrices_;
  int turned_ = 0; ///< how many more of those found lie turned than as they are
  std::vector<WeightRatio> ratios_;
};

} // namespace model_validator::verify
