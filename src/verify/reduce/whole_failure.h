#pragma once

#include "verify/reduce/attempt.h"
#include "verify/reduce/cutting.h"

#include <filesystem>
#include <optional>
#include <string>

namespace model_validator::verify {

/// How a whole model fails.
struct WholeFailure {
  Answer answer = Answer::ran;
  std::string message;
  NamedTensors inputs;
  std::filesystem::path model; ///< that fails: the candidate's, where it does not even run
  AskedRuntime runner;
  bool is_pair = false; ///< two files differ
};

/// @throws Error where a file is not one of ONNX, or the command names no model
void require_onnx(const VerifyRequest& request);

/// @returns nothing where it does not fail @throws Error (`interrupted`), and for a request that
/// makes no sense
std::optional<WholeFailure> failure_of_whole(const VerifyRequest& request);

/// The first sample that the reference runs with; one of the usual sizes where it runs with none.
NamedTensors sample_that_runs(const VerifyRequest& request);

Subject subject_of(const VerifyRequest& request, const std::filesystem::path& model,
                   const NamedTensors& inputs);

} // namespace model_validator::verify
