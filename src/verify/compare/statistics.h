#pragma once

#include "verify/compare/refine.h"

#include <model_validator/verify/metrics.h>

#include <optional>

namespace model_validator::verify {

/// A pair's sums, and whether either side is constant, which sums alone cannot show exactly.
struct PairSums {
  SquareSums sums;
  Scaling scaling;
  bool constant_a = false;
  bool constant_b = false;
};

std::optional<double> pcc_of(const PairSums& pair);
std::optional<double> concordance_of(const PairSums& pair);
std::optional<double> cosine_of(const PairSums& pair);
std::optional<LinearFit> fit_of(const PairSums& pair);
double rmse_of(const PairSums& pair);
double deviation_a(const PairSums& pair);
double deviation_b(const PairSums& pair);

} // namespace model_validator::verify
