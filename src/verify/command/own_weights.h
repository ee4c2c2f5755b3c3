#pragma once

#include "introspection/byte_source.h"
#include "introspection/weight_store.h"
#include "verify/backends/onnx_unrounded.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A weight of a copy in few bits that rounding the reference's does not give.
struct WeightMisfit {
  std::string layer; ///< the node of the copy
  std::string words; ///< `117 steps off at 5`
};

/// The tensors of a reference, of any format, that weights of a copy in few bits stand for.
class OwnWeights {
public:
  /// Reads them. @throws Error of the readers
  explicit OwnWeights(const std::filesystem::path& reference);

  /// The one that has its name, unless another of its size is more similar, as it lies or turned;
  /// empty where there is none. When all are asked for once more, the only one of its size that is
  /// left.
  std::vector<float> of(const FewBitWeight& weight);
  void begin_again();

  const std::vector<WeightMisfit>& misfits() const { return misfits_; } ///< of those found
  bool are_all_found() const { return missing_ == 0; }                  ///< but for biases

private:
  /// Some numbers of each are kept to tell them apart; it is read again when it is taken.
  struct Matrix {
    std::int64_t rows, columns;
    StoredWeights stored;
    std::vector<float> as_it_lies, turned;
  };
  struct Match {
    const Matrix* matrix = nullptr;
    bool is_turned = false;
  };
  Match with_its_name(const FewBitWeight& weight) const;
  static double likeness_to(const FewBitWeight& weight, const Match& match);
  /// @param best  so far
  Match most_similar(const FewBitWeight& weight, Match best) const;
  Match only_one_left(const FewBitWeight& weight) const;
  ByteSource source_;
  std::vector<Matrix> matrices_;
  std::vector<WeightMisfit> misfits_;
  std::size_t missing_ = 0;
  std::set<const Matrix*> taken_; ///< when all were asked for before
  int turned_ = 0;                ///< how many more of those found lie turned than as they are
  bool is_again_ = false;
};

} // namespace model_validator::verify
