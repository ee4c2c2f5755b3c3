#pragma once

#include <model_validator/verify/tensor_view.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace model_validator::verify {

/// Which tensor the relative tolerance is taken of.
enum class Denominator : std::uint8_t { reference, candidate };
const char* to_string(Denominator denominator);

/// `|reference − candidate| ≤ atol + rtol · |denominator|`
struct Closeness {
  double rtol = 1e-5;
  double atol = 1e-8;
  Denominator denominator = Denominator::candidate;
};

struct MetricOptions {
  /// Rules whose violations are counted, at most two.
  std::vector<Closeness> closeness;
  /// The elements are also grouped by scale, if one of them differs by more than this share of
  /// itself.
  std::optional<double> scales_beyond;
  std::size_t worst = 8;  ///< how many of the worst elements to keep
  bool histogram = false; ///< also count errors by magnitude
  unsigned threads = 0;   ///< 0: one for every core
};

/// One element with its value on both sides.
struct Element {
  std::vector<std::int64_t>
      index; ///< coordinates; complex tensors have one more, 0 real 1 imaginary
  double reference = 0;
  double candidate = 0;
  double difference = 0; ///< candidate − reference, exact also for 64-bit integers
};

/// How many elements are not finite numbers.
struct NonFinite {
  std::int64_t nan = 0;
  std::int64_t positive_infinity = 0;
  std::int64_t negative_infinity = 0;
  std::int64_t total() const { return nan + positive_infinity + negative_infinity; }
};

/// The least-squares line `candidate ≈ scale · reference + bias`.
struct LinearFit {
  double scale = 1;
  double bias = 0;
};

/// Errors counted by magnitude: bin i counts 2^(i−offset) ≤ |difference| < 2^(i−offset+1).
struct Histogram {
  static constexpr int bins = 256;
  static constexpr int offset =
      192; ///< the first bin also counts smaller differences, the last larger ones
  std::array<std::int64_t, bins> counts{};
  std::int64_t exact = 0; ///< difference zero
};

/// Some of the elements.
struct ScaleGroup {
  std::int64_t count = 0;
  double scale = 0;           ///< greatest |reference|
  double error = 0;           ///< greatest |difference|
  std::int64_t position = -1; ///< where that is, in the order of reading; -1: all are equal

  void add(const ScaleGroup& other);
};

/// The finite elements of a pair, grouped by the reference alone: by the power of two of their
/// size, and by their place along each axis. Two candidates of one reference have the same groups.
struct ScaleProfile {
  static constexpr int octaves = 320;
  static constexpr int offset = 160; ///< octave i holds 2^(i−offset) ≤ |reference| < 2^(i−offset+1)
  ScaleGroup zeros;
  std::vector<ScaleGroup> by_octave = std::vector<ScaleGroup>(octaves);
  /// By axis, as the tensor has them (complex: one more, for the parts), then by index. Empty for
  /// an axis along which a place holds too few elements to have a scale.
  std::vector<std::vector<ScaleGroup>> by_axis;

  void add(const ScaleProfile& other);
};

/// Reads a pair once, threaded. @throws std::invalid_argument where the shapes differ
ScaleProfile scale_profile(const TensorView& reference, const TensorView& candidate);

/// Coordinates in a tensor of an element at a position in the order in which a pair is read.
std::vector<std::int64_t> coordinates_of(const TensorView& reference, const TensorView& candidate,
                                         std::int64_t position);

/// Everything one pass over a pair of tensors measures. Computed in float64. Elements that are NaN
/// or infinite on either side are counted and left out of everything else.
struct Metrics {
  std::int64_t elements = 0; ///< real numbers compared: a complex element counts as two
  std::int64_t finite = 0;   ///< finite on both sides
  std::int64_t unequal = 0;  ///< not equal, where NaN equals NaN

  NonFinite reference_non_finite;
  NonFinite candidate_non_finite;
  std::int64_t non_finite_mismatches = 0; ///< NaN, +Inf or −Inf on one side and not on the other
  std::int64_t nan_on_both = 0;           ///< NaN at the same place on both sides

  double max_abs = 0;  ///< greatest |difference|
  double mean_abs = 0; ///< mean |difference|
  double rmse = 0;
  double max_rel = 0;  ///< greatest |difference| / |reference| where the reference is not zero
  double mean_rel = 0; ///< its mean over the same elements
  std::int64_t zero_reference_mismatches =
      0; ///< reference zero, candidate not: no relative difference

  double reference_max = 0; ///< greatest |reference|
  double candidate_max = 0;
  double reference_mean = 0;
  double reference_deviation = 0; ///< population standard deviation over the elements
  double candidate_deviation = 0;

  std::optional<double> pcc;         ///< none if either side is constant
  std::optional<double> concordance; ///< the PCC, lowered by scale and bias (Lin 1989)
  std::optional<double> cosine;      ///< none if either side is all zero
  std::optional<LinearFit> fit;      ///< none if the reference is constant
  /// PCC, concordance and RMSE without the elements farthest from the reference's mean and the
  /// worst ones, so that a few elements do not dominate the figure.
  std::optional<double> pcc_without_extremes;
  std::optional<double> concordance_without_extremes;
  double extreme_share = 0; ///< share of the reference's variance due to the extremes left out
  double rmse_without_worst = 0;
  std::int64_t extremes = 0; ///< how many elements were left out

  /// Steps between neighbouring floating-point numbers, if both sides have the same floating dtype.
  std::optional<std::uint64_t> max_ulp;

  /// For each rule of the options. NaN and Inf that differ are violations; those that agree are
  /// not.
  std::vector<std::int64_t> violations;

  std::vector<Element> worst;              ///< by |difference|, greatest first
  std::vector<Element> non_finite_samples; ///< the first mismatches of NaN and Inf
  std::optional<Histogram> histogram;
  std::optional<ScaleProfile> scales; ///< where the options asked for them
};

/// Compares two tensors of the same shape in one pass over the memory, threaded, without a
/// temporary of their size; in a second one where elements are grouped by scale. The figures do not
/// depend on the number of threads.
/// @throws std::invalid_argument where the shapes differ
Metrics measure(const TensorView& reference, const TensorView& candidate,
                const MetricOptions& options = {});

} // namespace model_validator::verify
