#pragma once

#include <model_validator/verify/request.h>

#include <filesystem>
#include <string>

namespace model_validator::verify {

/// What `model_validator probe` is asked for.
struct ProbeRequest {
  /// The model, and a backend or a command, in which `{model}` stands for the file.
  VerifyRequest verify;
  bool all = false;                    ///< nodes of a model that is right as a whole, too
  std::filesystem::path answers;       ///< where they are kept; empty: the user's own cache
  std::string output_format = "table"; ///< or json
};

struct ProbeResult {
  bool is_right = false; ///< all that was asked
  std::string output;
};

/// Asks a runtime for an ONNX file: whether it loads, runs and gives what the reference gives, and,
/// where it does not, the same of each node that differs from the others, as a model of its own.
/// What was asked before is not asked again.
/// @throws Error for a request that makes no sense, and for files that cannot be read;
/// (`interrupted`) when asked to stop, with what is known kept
ProbeResult run_probe(const ProbeRequest& request);

} // namespace model_validator::verify
