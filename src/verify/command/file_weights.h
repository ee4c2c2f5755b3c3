#pragma once

#include "verify/command/model_file.h"

#include <model_validator/verify/report.h>
#include <model_validator/weights.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// What comparing the weights of two files shows.
namespace model_validator::verify {

/// A failure where the candidate's file holds NaN among its weights and the reference holds none:
/// outputs need not show it, because a compiler may drop it (a fused ReLU turns NaN into zero).
/// @param of_candidate  its tensors that hold some
std::optional<Incident> nan_of_candidate_alone(const ModelFile& reference,
                                               const std::vector<NonFiniteTensor>& of_candidate);

/// The tensors of a file that hold NaN; none where the file is not one whose weights are read.
std::vector<NonFiniteTensor> tensors_with_nan(const ModelFile& model);

/// `` `body.4.weight` differs in 1 of 4,608 numbers ``, for two files that hold tensors of the same
/// names; empty where none differs, or where that cannot be told.
std::string words_about_weights(const std::filesystem::path& reference,
                                const std::filesystem::path& candidate);

} // namespace model_validator::verify
