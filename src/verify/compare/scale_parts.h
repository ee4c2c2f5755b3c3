#pragma once

#include <model_validator/verify/metrics.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// A part of an output that has a scale of its own.
struct ScalePart {
  ScaleGroup elements;
  double scale = 0;    ///< what the tolerance is a share of
  double greatest = 0; ///< the largest of the values beside it
  std::string name;    ///< `index 4 of axis 1`
};

/// Parts whose values are smaller by orders of magnitude than those beside them: below a gap, small
/// within their neighbourhood, at one index of an axis. The others are judged as a whole.
/// @param honest_share  how much of the tolerance noise takes: values that are smaller than this
///     share of the largest one beside them can be held to that share of its tolerance
std::vector<ScalePart> scale_parts(const ScaleProfile& profile, double honest_share);

} // namespace model_validator::verify
