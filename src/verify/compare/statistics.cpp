#include "verify/compare/statistics.h"

#include <algorithm>
#include <cmath>

namespace model_validator::verify {

namespace {

/// Its exponents reach far enough for squares of float64 numbers.
using Wide = long double;

double clamped(Wide correlation) {
  return static_cast<double>(std::clamp(correlation, Wide{-1}, Wide{1}));
}

Wide wide(const Mean& mean) { return Wide{mean.high} + mean.low; }

/// Moments without scaling.
struct Unscaled {
  Wide n, mean_a, mean_b, aa, bb, ab;
  explicit Unscaled(const PairSums& pair)
      : n(pair.sums.moments.count), mean_a(wide(pair.sums.moments.mean_a) / pair.scaling.a),
        mean_b(wide(pair.sums.moments.mean_b) / pair.scaling.b),
        aa(pair.constant_a ? 0 : pair.sums.moments.aa / Wide{pair.scaling.a} / pair.scaling.a),
        bb(pair.constant_b ? 0 : pair.sums.moments.bb / Wide{pair.scaling.b} / pair.scaling.b),
        ab(pair.constant_a || pair.constant_b
               ? 0
               : pair.sums.moments.ab / Wide{pair.scaling.a} / pair.scaling.b) {}
};

double deviation(Wide centred, Wide n) {
  return n == 0 ? 0 : static_cast<double>(std::sqrt(centred / n));
}

} // namespace

std::optional<double> pcc_of(const PairSums& pair) {
  const Unscaled m(pair);
  if (m.aa == 0 || m.bb == 0) return std::nullopt;
  return clamped(m.ab / (std::sqrt(m.aa) * std::sqrt(m.bb)));
}

std::optional<double> concordance_of(const PairSums& pair) {
  const Unscaled m(pair);
  if (m.aa == 0 || m.bb == 0) return std::nullopt;
  const Wide shift = m.mean_a - m.mean_b;
  return clamped(2 * m.ab / (m.aa + m.bb + m.n * shift * shift));
}

std::optional<double> cosine_of(const PairSums& pair) {
  const Unscaled m(pair);
  const Wide a = m.aa + m.n * m.mean_a * m.mean_a;
  const Wide b = m.bb + m.n * m.mean_b * m.mean_b;
  if (a == 0 || b == 0) return std::nullopt;
  return clamped((m.ab + m.n * m.mean_a * m.mean_b) / (std::sqrt(a) * std::sqrt(b)));
}

std::optional<LinearFit> fit_of(const PairSums& pair) {
  const Unscaled m(pair);
  if (m.aa == 0) return std::nullopt;
  const Wide scale = m.ab / m.aa;
  return LinearFit{static_cast<double>(scale), static_cast<double>(m.mean_b - scale * m.mean_a)};
}

double rmse_of(const PairSums& pair) {
  if (pair.sums.moments.count == 0) return 0;
  const Wide mean = Wide{pair.sums.squares} / pair.sums.moments.count;
  return static_cast<double>(std::sqrt(mean) / pair.scaling.d);
}

double deviation_a(const PairSums& pair) {
  const Unscaled m(pair);
  return deviation(m.aa, m.n);
}

double deviation_b(const PairSums& pair) {
  const Unscaled m(pair);
  return deviation(m.bb, m.n);
}

} // namespace model_validator::verify
