#pragma once

#include "verify/localize/sketch.h"

namespace model_validator::verify {

/// Signal to quantisation noise in dB of two lists of values; infinite where they are equal.
double sqnr(const Sketch& reference, const Sketch& candidate);
/// Whether there is anything that a ratio can be taken of: not where all is zero, or infinite.
bool has_signal(const Sketch& reference);

/// The noise of two sources together, each as signal to noise in dB.
double joint_sqnr(double one, double other);

/// What a value that was rounded to steps keeps of the reference's, and what its steps explain.
struct SteppedRatio {
  double kept;          ///< in dB, without the few values beyond the range of the steps
  double explained;     ///< in dB, by steps of this size; infinite where there are none
  bool is_lost = false; ///< all but values a million times as large became one value
};
/// Steps are seen in the values themselves: of 256 levels at most. Ranges are calibrated on data
/// that is not at hand, and shared by what only moves values: a few values may lie beyond them, and
/// steps may be wider than a layer's own values need. A wrong scale or zero point moves values by
/// more than their steps.
SteppedRatio stepped_ratio(const Sketch& reference, const Sketch& candidate);
/// What a value keeps that is stored in these steps, and what steps as fine as its dtype
/// has explain, or those of the file, up to four times as wide.
struct ValueSteps {
  double scale, zero_point, least, greatest; ///< and the whole numbers that there are
};
SteppedRatio ratio_in_steps(const at::Tensor& value, const ValueSteps& steps);

} // namespace model_validator::verify
