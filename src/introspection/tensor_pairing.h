#pragma once

#include "introspection/folded_layer.h"
#include "introspection/tensor_rows.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace model_validator {

/// What is known of two groups of tensors besides their numbers.
enum class TensorGroups : std::uint8_t {
  same_ops, ///< that read the same, in one order
  others,   ///< ops of other kinds
  gates     ///< in files of two formats, which order the gates of recurrent layers otherwise
};

/// The tensors of the reference's ops, each with what stands for it in the candidate: a tensor, or
/// rows of one that an optimiser made of several.
class TensorPairing {
public:
  /// @param max_numbers  of rows that are compared in all searches
  TensorPairing(std::vector<LoadedTensor> own, std::vector<LoadedTensor> others,
                TensorGroups groups, std::size_t max_numbers = max_compared_numbers);

  /// How a tensor differs from what stands for it, or that nothing does.
  struct Finding {
    std::string words;
    OpId op = none; ///< of the reference, that reads it
  };
  /// Of the pair that differs most, or of what stands for nothing; empty where neither is, or
  /// where too many numbers would be compared.
  Finding finding() const;

  /// What stands for one of the reference's; null where nothing does.
  const TensorNumbers* partner_of(std::size_t own) const;

private:
  struct View {
    std::size_t whole; ///< among the candidate's
    bool turned;
    std::size_t length; ///< of a row
    TensorRows rows;
  };

  Finding about_pairs() const;
  std::string words_about_missing() const;
  void pair(std::size_t own, std::size_t other);
  bool fits(std::size_t own, std::size_t other) const;
  template <class Condition> std::size_t first_left(std::size_t own, Condition condition) const;
  std::size_t same_name(std::size_t own) const;
  std::size_t equal_one(std::size_t own) const;
  std::size_t only_one_left(std::size_t own) const;
  std::size_t most_alike(std::size_t own) const;
  double likeness(std::size_t own, std::size_t other) const;
  TensorDifference difference_of_pair(std::size_t own, std::size_t other,
                                      Explained explained) const;
  std::set<std::size_t> lengths_of_unpaired() const;
  std::vector<View> views_of_rows();
  bool may_hold_rows(const View& view, std::size_t own) const;
  void find_rows(std::size_t own, std::vector<View>& views);
  template <class FindRows>
  void pair_rows(std::size_t own, std::vector<View>& views, FindRows find);

  std::vector<LoadedTensor> own_, others_;
  std::vector<bool> used_; ///< of the candidate's tensors
  std::size_t whole_;      ///< how many these are; others are made of their rows
  TensorGroups groups_;
  std::size_t numbers_left_;
  std::map<std::size_t, std::size_t> partners_;
};

} // namespace model_validator
