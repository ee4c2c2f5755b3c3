#pragma once

#include "introspection/byte_source.h"
#include "introspection/op_cause.h"
#include "introspection/weight_store.h"
#include "verify/backends/few_bit_weight.h"
#include "verify/command/model_file.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A weight of a copy in few bits that rounding the reference's does not give.
struct WeightMisfit {
  std::string layer; ///< the node of the copy
  std::string own;   ///< the reference's tensor, where it is called otherwise
  std::string words; ///< `117 steps off at 5`
};

template <class Archive> void describe(Archive& archive, WeightMisfit& misfit) {
  archive(misfit.layer, misfit.own, misfit.words);
}

/// The tensors of a reference, of any format, that weights of a copy in few bits stand for; those
/// of layers also with the normalisation behind them folded in.
class OwnWeights {
public:
  /// They are read when the first is asked for.
  explicit OwnWeights(std::filesystem::path reference) : reference_(std::move(reference)) {}
  /// Adds what exporters make of the layers of the reference and their normalisations.
  void add_folded(const ReadModel& reference);

  /// The one that has its name, unless another of its size is more similar, as it lies or turned;
  /// empty where there is none. When all are asked for once more, the only one of its size that is
  /// left. @throws Error of the readers
  std::vector<float> of(const FewBitWeight& weight);
  void begin_again();
  /// From now on what rounding does not give is left as the file has it, and is missing.
  void leave_misfits() { leaves_misfits_ = true; }

  const std::vector<WeightMisfit>& misfits() const { return misfits_; } ///< of those found
  /// But for vectors that are stored as exactly as floats are, as biases are.
  bool are_all_found() const { return missing_ == 0; }

private:
  /// Some numbers of each are kept to tell them apart; it is read again when it is taken.
  struct Matrix {
    std::int64_t rows, columns;
    std::string name;
    std::optional<StoredWeights> stored; ///< none: `made`
    std::vector<float> as_it_lies, turned, made;
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
  void read();
  std::vector<float> numbers_of(const Matrix& matrix);
  void add_made(const std::string& name, const std::vector<double>& numbers, std::int64_t rows);
  std::vector<float> vector_that_fits(const FewBitWeight& weight);
  std::vector<float> of_vector(const FewBitWeight& weight);
  std::filesystem::path reference_;
  bool is_read_ = false;
  ByteSource source_;
  std::vector<Matrix> matrices_;
  std::vector<WeightMisfit> misfits_;
  std::size_t missing_ = 0;
  std::set<const Matrix*> taken_; ///< when all were asked for before
  int turned_ = 0;                ///< how many more of those found lie turned than as they are
  bool is_again_ = false, leaves_misfits_ = false;
};

/// How what a file stores in few bits fits the reference's weights.
struct StoredWeightsFit {
  std::size_t stored = 0, fitting = 0;
  std::vector<WeightMisfit> misfits;
};

template <class Archive> void describe(Archive& archive, StoredWeightsFit& fit) {
  archive(fit.stored, fit.fitting, fit.misfits);
}

/// Compares them one by one, of a program that cannot be run with nothing rounded. @throws Error
StoredWeightsFit fit_stored_weights(const ModelFile& reference,
                                    const std::filesystem::path& program);

} // namespace model_validator::verify
