#pragma once

#include "verify/localize/op_trace.h"

#include <model_validator/verify/report.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// A tensor that the candidate computed on its way.
struct Intermediate {
  std::string name;
  Sketch sketch;
};

/// What was found out about where two models part.
struct Divergence {
  std::vector<OpComparison> ops;  ///< every op with real-valued results, in order
  std::vector<std::string> notes; ///< what no single op explains
};

/// Finds the first op of the reference whose result the candidate does not reproduce, though it
/// reproduces everything that the op reads, and which a differing output depends on.
///
/// Results are recognised by their values, not by names: a compiler may rename, merge and reorder.
Divergence find_divergence(const OpTrace& reference, const std::vector<Intermediate>& candidate,
                           double tolerance);

} // namespace model_validator::verify
