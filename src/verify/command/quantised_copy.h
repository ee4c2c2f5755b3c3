#pragma once

#include "verify/command/model_file.h"

#include <model_validator/verify/request.h>

#include <optional>

namespace model_validator::verify {

/// How a candidate stores numbers in fewer bits than its reference.
struct QuantisedCopy {
  bool per_channel = false;     ///< some weights have a scale for each channel, or for each group
  bool has_wide_values = false; ///< some values between layers have sixteen bits
};

/// Reads the graphs of both files, in a process that can only compute. A candidate is a quantised
/// copy if it has more operations on quantised values than the reference.
std::optional<QuantisedCopy> find_quantised_copy(const ModelFile& reference,
                                                 const ModelFile& candidate,
                                                 const VerifyRequest& request);

/// Rounds the weights of layers to eight bits, symmetric about zero, in place: parameters of two
/// dimensions or more, with one scale, or one for each index of their first dimension.
void round_weights(torch::jit::Module& module, bool per_channel);

} // namespace model_validator::verify
