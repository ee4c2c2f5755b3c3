#pragma once

#include "rules/baseline.h"

#include <filesystem>

namespace model_validator::cli {

/// Merges what a run found with what a baseline file holds of other models. Concurrent runs wait
/// for each other, so that nothing is lost.
/// @returns how many findings the file holds now
/// @throws Error (`cannot-write`, `bad-baseline`)
std::size_t store_baseline(const std::filesystem::path& file, const Baseline& found);

} // namespace model_validator::cli
