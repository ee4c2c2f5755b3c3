#pragma once

#include "verify/localize/localize.h"
#include "verify/localize/reference_run.h"

namespace model_validator::verify {

/// Compares a model with its quantised copy by the values that both have under the same name, as
/// quantisers leave them. Of each it finds how far the copy is off, and how far when everything
/// that it is computed from has the reference's values: what the layer itself adds.
/// @param reference  the float model, op by op as the file has it
/// @param candidate  the quantised copy, likewise
/// @throws Error (`cannot-localize`) when one of them shows nothing of what it computes
Divergence layer_errors(const ShowRun& reference, const ShowRun& candidate);

/// What a layer of the copy adds on the reference's inputs, as signal to noise in dB.
struct LayerRatio {
  std::string layer; ///< the node that makes the value
  double decibels;
};
/// By the reference's name of each value.
std::map<std::string, LayerRatio> layer_ratios(const ShowRun& reference, const ShowRun& candidate);

} // namespace model_validator::verify
