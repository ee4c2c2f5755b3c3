#pragma once

#include <model_validator/lint.h>

#include <filesystem>
#include <stop_token>
#include <string>

namespace model_validator::cli {

/// How the runtimes that are here are asked.
struct AskingChoice {
  bool wanted = false;
  std::string sandbox = "auto";
  std::filesystem::path answers; ///< where they are kept; empty: the user's own cache
};

/// Adds to the verdicts on a file of ONNX what the runtime itself says of it, and where that is not
/// what the table says. A target whose runtime cannot be asked is left alone.
/// @throws Error (`interrupted`)
void ask_runtimes(ModelReport& report, const AskingChoice& choice, const std::stop_token& stop);

} // namespace model_validator::cli
