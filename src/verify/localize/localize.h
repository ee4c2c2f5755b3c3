#pragma once

#include "verify/localize/reference_run.h"

#include <model_validator/verify/backend.h>
#include <model_validator/verify/report.h>

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What was found about where two models diverge.
struct Divergence {
  std::vector<std::string> notes; ///< what no single op explains
  std::vector<OpComparison> ops;  ///< ops with real-valued results, in order
};

/// Finds where a candidate diverges from a reference. Computes: for a process of its own.
/// @throws Error (`cannot-localize`) when a backend shows nothing of what it computes
Divergence localize(const ReferenceRun& reference, const Backend& backend,
                    const BackendInput& candidate, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options);
/// From a module.
Divergence localize(const torch::jit::Module& reference, const Backend& backend,
                    const BackendInput& candidate, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options);

/// Hands a result from one process to another.
void write_divergence(const std::filesystem::path& file, const Divergence& divergence);
Divergence read_divergence(const std::filesystem::path& file);

} // namespace model_validator::verify
