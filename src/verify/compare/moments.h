#pragma once

namespace model_validator::verify {

/// A mean in two parts, so that the difference of two means keeps its digits at large offsets.
struct Mean {
  double high = 0;
  double low = 0;

  double value() const { return high + low; }
  double minus(const Mean& other) const { return (high - other.high) + (low - other.low); }
  void add(double step) {
    const double rest = low + step;
    const double sum = high + rest;
    low = rest - (sum - high);
    high = sum;
  }
};

/// Means and centred second moments of pairs (a, b). Two of them merge without loss of accuracy
/// (Chan, Golub, LeVeque 1979), so that blocks can be summed separately.
struct Moments {
  double count = 0;
  Mean mean_a;
  Mean mean_b;
  double aa = 0; ///< Σ (a − mean a)²
  double bb = 0;
  double ab = 0;

  void merge(const Moments& other) {
    if (other.count == 0) return;
    if (count == 0) {
      *this = other;
      return;
    }
    const double total = count + other.count;
    const double share = other.count / total;
    const double delta_a = other.mean_a.minus(mean_a);
    const double delta_b = other.mean_b.minus(mean_b);
    aa += other.aa + delta_a * delta_a * count * share;
    bb += other.bb + delta_b * delta_b * count * share;
    ab += other.ab + delta_a * delta_b * count * share;
    mean_a.add(delta_a * share);
    mean_b.add(delta_b * share);
    count = total;
  }
};

} // namespace model_validator::verify
