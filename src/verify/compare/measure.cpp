#include "verify/compare/chunked_pair.h"
#include "verify/compare/refine.h"

#include <model_validator/verify/metrics.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

namespace model_validator::verify {
namespace {

/// A pair's sums, and whether either side is constant, which sums alone cannot show exactly.
struct PairSums {
  SquareSums sums;
  Scaling scaling;
  bool constant_a = false;
  bool constant_b = false;
};

/// Its exponents reach far enough for squares of float64 numbers.
using Wide = long double;

double clamped(Wide correlation) {
  return static_cast<double>(std::clamp(correlation, Wide{-1}, Wide{1}));
}

Wide wide(const Mean& mean) { return Wide{mean.high} + mean.low; }

double rmse_of(const PairSums& pair) {
  if (pair.sums.moments.count == 0) return 0;
  const Wide mean = Wide{pair.sums.squares} / pair.sums.moments.count;
  return static_cast<double>(std::sqrt(mean) / pair.scaling.d);
}

/// Moments without scaling, and what follows from them.
struct Unscaled {
  explicit Unscaled(const PairSums& pair)
      : n(pair.sums.moments.count), mean_a(wide(pair.sums.moments.mean_a) / pair.scaling.a),
        mean_b(wide(pair.sums.moments.mean_b) / pair.scaling.b),
        aa(pair.constant_a ? 0 : pair.sums.moments.aa / Wide{pair.scaling.a} / pair.scaling.a),
        bb(pair.constant_b ? 0 : pair.sums.moments.bb / Wide{pair.scaling.b} / pair.scaling.b),
        ab(pair.constant_a || pair.constant_b
               ? 0
               : pair.sums.moments.ab / Wide{pair.scaling.a} / pair.scaling.b) {}

  std::optional<double> pcc() const {
    if (aa == 0 || bb == 0) return std::nullopt;
    return clamped(ab / (std::sqrt(aa) * std::sqrt(bb)));
  }
  std::optional<double> concordance() const {
    if (aa == 0 || bb == 0) return std::nullopt;
    const Wide shift = mean_a - mean_b;
    return clamped(2 * ab / (aa + bb + n * shift * shift));
  }
  std::optional<double> cosine() const {
    const Wide a = aa + n * mean_a * mean_a, b = bb + n * mean_b * mean_b;
    if (a == 0 || b == 0) return std::nullopt;
    return clamped((ab + n * mean_a * mean_b) / (std::sqrt(a) * std::sqrt(b)));
  }
  std::optional<LinearFit> fit() const {
    if (aa == 0) return std::nullopt;
    const Wide scale = ab / aa;
    return LinearFit{static_cast<double>(scale), static_cast<double>(mean_b - scale * mean_a)};
  }
  /// @param centred  `aa` or `bb`
  double deviation(Wide centred) const {
    return n == 0 ? 0 : static_cast<double>(std::sqrt(centred / n));
  }

  Wide n, mean_a, mean_b, aa, bb, ab;
};

constexpr std::size_t max_extremes = 8;
/// One element in so many may be an extreme one.
constexpr std::int64_t extreme_share = 100;

Bound bound_of(const Closeness& rule) {
  const bool of_reference = rule.denominator == Denominator::reference;
  return {rule.atol, of_reference ? rule.rtol : 0, of_reference ? 0 : rule.rtol};
}

PassOptions pass_options(const TensorView& a, const TensorView& b, const MetricOptions& options) {
  if (options.closeness.size() > max_bounds)
    throw std::invalid_argument("at most two rules of closeness can be counted in one pass");
  PassOptions result;
  result.bounds.count = options.closeness.size();
  std::transform(options.closeness.begin(), options.closeness.end(), result.bounds.rules.begin(),
                 bound_of);
  if (a.dtype == b.dtype) {
    result.ulp_format = float_format(a.dtype);
    result.sum_directly = direct_sum_of(a.dtype);
  }
  result.worst = std::max(options.worst, max_extremes);
  result.extremes = max_extremes;
  result.histogram = options.histogram;
  return result;
}

/// The pass over a pair, and what is computed from it.
class Measurement {
public:
  Measurement(const TensorView& a, const TensorView& b, const MetricOptions& options)
      : chunked_(a, b, options.threads), options_(options), pass_(pass_options(a, b, options)),
        watch_(pass_) {}

  Metrics run() {
    chunks_ = chunked_.sum(pass_, watch_);
    for (const ChunkSums& chunk : chunks_) total_.merge(chunk);
    Metrics metrics;
    fill_counts(metrics);
    fill_elements(metrics);
    if (total_.finite() != 0) {
      fill_errors(metrics);
      fill_squares(metrics);
      fill_without_outliers(metrics);
    }
    if (options_.scales_beyond && differs_by_share(*options_.scales_beyond))
      metrics.scales = chunked_.profile();
    return metrics;
  }

private:
  Element element(const PlacedElement& placed) const {
    return {chunked_.layout().coordinates(placed.position), placed.a, placed.b, placed.d};
  }

  /// Whether an element differs by more than a share of itself: else no group of them does.
  bool differs_by_share(double share) const {
    return total_.sums.max_rel > share || total_.sums.zero_a_mismatch != 0;
  }

  void fill_counts(Metrics& metrics) const {
    metrics.elements = chunked_.size();
    metrics.finite = total_.finite();
    metrics.unequal = total_.sums.unequal + total_.non_finite.mismatches;
    metrics.reference_non_finite = total_.non_finite.reference;
    metrics.candidate_non_finite = total_.non_finite.candidate;
    metrics.non_finite_mismatches = total_.non_finite.mismatches;
    metrics.nan_on_both = total_.non_finite.nan_on_both;
    for (std::size_t i = 0; i < options_.closeness.size(); ++i)
      metrics.violations.push_back(total_.sums.violations[i] + total_.non_finite.mismatches);
    if (pass_.ulp_format) metrics.max_ulp = total_.sums.max_ulp;
    metrics.histogram = watch_.histogram;
  }

  void fill_elements(Metrics& metrics) {
    for (const PlacedElement& placed : watch_.worst.sorted()) {
      if (metrics.worst.size() == options_.worst) break;
      metrics.worst.push_back(element(placed));
    }
    auto& samples = watch_.non_finite;
    std::ranges::sort(samples,
                      [](const auto& x, const auto& y) { return x.position < y.position; });
    samples.resize(std::min(samples.size(), options_.worst));
    for (const PlacedElement& placed : samples)
      metrics.non_finite_samples.push_back(element(placed));
  }

  void fill_errors(Metrics& metrics) const {
    const BlockSums& sums = total_.sums;
    const auto n = static_cast<double>(total_.finite());
    const auto with_relative = static_cast<double>(total_.finite() - sums.zero_a);
    metrics.max_abs = sums.max_abs;
    metrics.mean_abs = sums.abs / n;
    metrics.max_rel = sums.max_rel;
    metrics.mean_rel = with_relative == 0 ? 0 : sums.rel / with_relative;
    metrics.zero_reference_mismatches = sums.zero_a_mismatch;
    metrics.reference_max = std::max(std::fabs(sums.min_a), std::fabs(sums.max_a));
    metrics.candidate_max = std::max(std::fabs(sums.min_b), std::fabs(sums.max_b));
    metrics.reference_mean = total_.sums.moments.mean_a.value();
  }

  /// Squares of very large or very small numbers leave the range of float64.
  bool must_scale() const {
    constexpr double small = 1e-140, large = 1e140;
    const auto risky = [](double greatest) {
      return greatest != 0 && (greatest < small || greatest > large);
    };
    const BlockSums& sums = total_.sums;
    return risky(sums.max_abs) || risky(sums.max_a - sums.min_a) ||
           risky(sums.max_b - sums.min_b) || !(greatest_a() < large) || !(greatest_b() < large);
  }
  double greatest_a() const {
    return std::max(std::fabs(total_.sums.min_a), std::fabs(total_.sums.max_a));
  }
  double greatest_b() const {
    return std::max(std::fabs(total_.sums.min_b), std::fabs(total_.sums.max_b));
  }

  void fill_squares(Metrics& metrics) {
    const BlockSums& sums = total_.sums;
    pair_.constant_a = sums.min_a == sums.max_a;
    pair_.constant_b = sums.min_b == sums.max_b;
    if (must_scale()) {
      pair_.scaling = {scale_for(greatest_a()), scale_for(greatest_b()), scale_for(sums.max_abs)};
      squares_ = chunked_.refine(pair_.scaling);
    } else {
      for (const ChunkSums& chunk : chunks_)
        squares_.push_back({chunk.sums.moments, chunk.sums.squares});
    }
    for (const SquareSums& chunk : squares_) pair_.sums.merge(chunk);
    const Unscaled moments(pair_);
    metrics.pcc = moments.pcc();
    metrics.concordance = moments.concordance();
    metrics.cosine = moments.cosine();
    metrics.fit = moments.fit();
    metrics.rmse = rmse_of(pair_);
    metrics.reference_deviation = moments.deviation(moments.aa);
    metrics.candidate_deviation = moments.deviation(moments.bb);
  }

  PairSums without(const std::vector<PlacedElement>& elements) const {
    PairSums rest = pair_;
    rest.sums = chunked_.merge_without(elements, squares_, pair_.scaling);
    return rest;
  }

  /// Those farthest from the reference's mean.
  std::vector<PlacedElement> extremes(std::size_t most) const {
    std::vector<PlacedElement> ends = watch_.largest.sorted();
    for (const PlacedElement& placed : watch_.smallest.sorted())
      if (std::ranges::find(ends, placed.position, &PlacedElement::position) == ends.end())
        ends.push_back(placed);
    const double mean = total_.sums.moments.mean_a.value();
    std::ranges::stable_sort(ends, [mean](const auto& x, const auto& y) {
      return std::fabs(x.a - mean) > std::fabs(y.a - mean);
    });
    ends.resize(std::min(ends.size(), most));
    return ends;
  }

  void fill_without_outliers(Metrics& metrics) const {
    metrics.rmse_without_worst = metrics.rmse;
    const auto most = static_cast<std::size_t>(
        std::min<std::int64_t>(max_extremes, total_.finite() / extreme_share));
    metrics.extremes = static_cast<std::int64_t>(most);
    if (most == 0) return;
    if (metrics.pcc) {
      const PairSums rest = without(extremes(most));
      metrics.pcc_without_extremes = Unscaled(rest).pcc();
      metrics.concordance_without_extremes = Unscaled(rest).concordance();
      metrics.extreme_share = 1 - rest.sums.moments.aa / pair_.sums.moments.aa;
    }
    std::vector<PlacedElement> worst = watch_.worst.sorted();
    worst.resize(std::min(worst.size(), most));
    if (!worst.empty()) metrics.rmse_without_worst = rmse_of(without(worst));
  }

  ChunkedPair chunked_;
  const MetricOptions& options_;
  PassOptions pass_;
  std::vector<ChunkSums> chunks_;
  std::vector<SquareSums> squares_;
  ChunkSums total_;
  Watch watch_;
  PairSums pair_;
};

} // namespace

const char* to_string(Denominator denominator) {
  return denominator == Denominator::reference ? "reference" : "candidate";
}

Metrics measure(const TensorView& reference, const TensorView& candidate,
                const MetricOptions& options) {
  return Measurement(reference, candidate, options).run();
}

ScaleProfile scale_profile(const TensorView& reference, const TensorView& candidate) {
  return ChunkedPair(reference, candidate, 0).profile();
}

std::vector<std::int64_t> coordinates_of(const TensorView& reference, const TensorView& candidate,
                                         std::int64_t position) {
  return PairLayout(reference, candidate).coordinates(position);
}

} // namespace model_validator::verify
