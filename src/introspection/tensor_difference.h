#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace model_validator {

/// The numbers that a stored tensor stands for, and how exactly it can say them.
struct TensorNumbers {
  std::vector<double> values;
  std::vector<std::uint64_t> shape;
  double relative = 0;           ///< part of a value that its dtype cannot hold
  std::vector<double> steps;     ///< of a quantised tensor, by channel; empty: none
  std::size_t axis = 0;          ///< of the channels
  std::vector<bool> at_the_last; ///< by value, whether it is stored as the last that there is

  std::size_t channel_of(std::size_t value) const;
};

/// Part of the greatest value: an exporter that folds a norm into a layer computes, too.
inline constexpr double rounding_of_folding = 2e-6;

double greatest_of(const std::vector<double>& values);

/// Whether numbers of two tensors are apart by no more than their dtypes and folding explain.
/// @param greatest  of the reference's
bool is_rounding(const TensorNumbers& reference, const TensorNumbers& candidate, double greatest,
                 std::size_t own, std::size_t other);

/// How a candidate's tensor differs from the reference's by more than its dtype explains.
struct TensorDifference {
  std::size_t differing = 0; ///< numbers
  std::string words; ///< that follow its name, `differs in 1 of 4,608 numbers`; empty: it does not
};

/// Whether the words say how a tensor differs, which takes much longer than to count.
enum class Explained : bool { no, yes };

/// @param reference  of the same shape
TensorDifference difference_of(const TensorNumbers& reference, const TensorNumbers& candidate,
                               Explained explained = Explained::yes);

} // namespace model_validator
