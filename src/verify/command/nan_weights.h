#pragma once

#include "verify/command/model_file.h"

#include <model_validator/verify/report.h>

#include <optional>

namespace model_validator::verify {

/// A failure where the candidate's file holds NaN among its weights and the reference holds none:
/// outputs need not show it, because a compiler may drop it (a fused ReLU turns NaN into zero).
std::optional<Incident> nan_of_candidate_alone(const ModelFile& reference,
                                               const ModelFile& candidate);

} // namespace model_validator::verify
