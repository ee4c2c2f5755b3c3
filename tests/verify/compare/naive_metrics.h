#pragma once

#include <model_validator/verify/metrics.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace naive {

/// Metrics worked out the obvious way in extended precision, to compare the kernels with.
struct Metrics {
  std::int64_t finite = 0, unequal = 0, mismatches = 0, violations = 0;
  double max_abs = 0, mean_abs = 0, rmse = 0, max_rel = 0, mean_rel = 0;
  std::optional<double> pcc;
};

inline bool same_special(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (std::isinf(a) && a == b);
}

inline std::optional<double> pcc(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<long double>(a.size());
  long double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
  bool constant_a = true, constant_b = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
    constant_a = constant_a && a[i] == a[0];
    constant_b = constant_b && b[i] == b[0];
  }
  if (a.empty() || constant_a || constant_b) return std::nullopt;
  long double rest_a = 0, rest_b = 0; // what rounding has left in the means
  for (std::size_t i = 0; i < a.size(); ++i) {
    rest_a += (a[i] - mean_a) / n;
    rest_b += (b[i] - mean_b) / n;
  }
  mean_a += rest_a;
  mean_b += rest_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  return static_cast<double>(ab / (std::sqrt(aa) * std::sqrt(bb)));
}

inline Metrics measure(const std::vector<double>& a, const std::vector<double>& b,
                       const model_validator::verify::Closeness& rule) {
  Metrics m;
  std::vector<double> finite_a, finite_b;
  long double abs = 0, squares = 0, rel = 0;
  std::int64_t with_size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) {
      m.mismatches += same_special(a[i], b[i]) ? 0 : 1;
      continue;
    }
    finite_a.push_back(a[i]);
    finite_b.push_back(b[i]);
    const double d = std::fabs(b[i] - a[i]);
    const double size = std::fabs(
        rule.denominator == model_validator::verify::Denominator::reference ? a[i] : b[i]);
    m.unequal += d != 0 ? 1 : 0;
    m.violations += d > rule.atol + rule.rtol * size ? 1 : 0;
    m.max_abs = std::fmax(m.max_abs, d);
    abs += d;
    squares += static_cast<long double>(d) * d;
    if (a[i] == 0) continue;
    ++with_size;
    rel += d / std::fabs(a[i]);
    m.max_rel = std::fmax(m.max_rel, d / std::fabs(a[i]));
  }
  m.finite = static_cast<std::int64_t>(finite_a.size());
  m.unequal += m.mismatches;
  m.violations += m.mismatches;
  m.pcc = pcc(finite_a, finite_b);
  if (m.finite == 0) return m;
  m.mean_abs = static_cast<double>(abs / m.finite);
  m.rmse = static_cast<double>(std::sqrt(squares / m.finite));
  m.mean_rel = with_size == 0 ? 0 : static_cast<double>(rel / with_size);
  return m;
}

} // namespace naive
