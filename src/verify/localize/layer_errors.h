#pragma once

#include "verify/localize/localize.h"
#include "verify/localize/reference_run.h"

#include <functional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Compares a model with its quantised copy by the values that both have under the same name, as
/// quantisers leave them. Of each it finds how far the copy is off, and how far when everything
/// that it is computed from has the reference's values: what the layer itself adds.
/// @param reference  the float model, op by op as the file has it
/// @param candidate  the quantised copy, likewise
/// @throws Error (`cannot-localize`) when one of them shows nothing of what it computes
Divergence layer_errors(const ShowRun& reference, const ShowRun& candidate);

/// What a layer adds on the reference's inputs, as signal to noise in dB.
struct LayerRatio {
  std::string layer; ///< the node of the copy that makes the value
  std::string first; ///< the reference's first node of what the copy computes there
  double kept;       ///< by the copy, without the few values beyond its range
  double explained;  ///< by the reference, rounded as the copy is, in steps as wide as the copy's
  double greatest;   ///< magnitude of the reference's values
  bool is_lost;      ///< all but values a million times as large became one value
};
/// Of each layer that both compute from the same values of the reference: a copy that leaves a
/// value out, as an activation that rounding to steps replaces, has longer layers.
/// @param rounded  asked for the reference, rounded as the copy is, where it is needed
/// @param only_lost  leaves out what the copy does not lose, so that most copies run once
std::vector<LayerRatio> layer_ratios(const ShowRun& reference, const ShowRun& candidate,
                                     const std::function<ShowRun()>& rounded, bool only_lost);

} // namespace model_validator::verify
