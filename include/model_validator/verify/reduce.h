#pragma once

#include <model_validator/verify/request.h>

#include <chrono>
#include <filesystem>
#include <string>

namespace model_validator::verify {

/// What `model_validator reduce` is asked for.
struct ReduceRequest {
  /// The model, and the candidate: a file of the same format, a backend or a command, in which
  /// `{model}` stands for the file.
  VerifyRequest verify;
  std::filesystem::path folder;   ///< to be made
  std::chrono::seconds time{600}; ///< after which the smallest model so far is taken
};

struct ReduceResult {
  bool fails = false; ///< otherwise there is nothing to reduce
  std::string output; ///< for people
};

/// Seeks the smallest part of an ONNX file, by its own nodes, that fails as the whole does: that is
/// refused, crashes, hangs or differs. Writes it into a new folder with what reproduces it.
/// @throws Error for a request that makes no sense, and for files that cannot be read;
/// (`already-there`); (`interrupted`) when asked to stop before it is known how the model fails;
/// after that, the smallest model so far is taken
ReduceResult run_reduction(const ReduceRequest& request);

} // namespace model_validator::verify
