#pragma once

#include <model_validator/verify/request.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

/// What `model_validator probe` is asked for.
struct ProbeRequest {
  /// The model, and a backend or a command, in which `{model}` stands for the file.
  VerifyRequest verify;
  bool all = false;                    ///< nodes of a model that is right as a whole, too
  std::size_t jobs = 0;                ///< processes at once; 0: one for every core
  std::filesystem::path answers;       ///< where they are kept; empty: the user's own cache
  std::string output_format = "table"; ///< or json
};

/// What a runtime makes of nodes of one kind.
struct ProbedNodes {
  std::string type;                ///< `onnx::Conv`
  std::string attributes;          ///< in words
  std::string answer;              ///< `right`, `refused`, …; empty: it was not asked
  std::string message;             ///< in its own words
  std::vector<std::string> nodes;  ///< what people know them by
  std::vector<std::string> yields; ///< the first result of each
};

struct ProbeResult {
  bool is_right = false;       ///< all that was asked
  bool is_interrupted = false; ///< not all was asked
  std::string output;
  std::string runtime; ///< `ONNX Runtime 1.31.1, CPUExecutionProvider`
  std::string answer;  ///< about the whole
  std::string message;
  std::vector<ProbedNodes> nodes{};
};

/// The backend that can be asked for a target of ONNX files; empty where there is none.
std::string backend_for_target(std::string_view target);

/// Asks a runtime for an ONNX file: whether it loads, runs and gives what the reference gives, and,
/// where it does not, the same of each node that differs from the others, as a model of its own.
/// What was asked before is not asked again.
/// When it is asked to stop, what is known is kept and told.
/// @throws Error for a request that makes no sense, and for files that cannot be read;
/// (`interrupted`) when asked to stop before anything was asked
ProbeResult run_probe(const ProbeRequest& request);

} // namespace model_validator::verify
