#pragma once

#include "files/process/worker_process.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::process {

/// How processes that read models without running them are confined. docs/security.md gives the
/// reasons for the limits.
struct ReadingPolicy {
  SandboxMode sandbox = SandboxMode::automatic;
  std::uint64_t max_memory = std::uint64_t{2} << 30; ///< bytes, besides what is mapped of the file
  std::chrono::seconds max_processor_time{60};       ///< besides what hashing the weights takes
  std::optional<std::chrono::milliseconds> timeout;  ///< from start to end
};

/// The confinement of a process that reads these models, and nothing else but what is named besides
/// them. A model that is not a zip may have weights in files next to it.
Confinement confinement_for_reading(const std::vector<std::filesystem::path>& models,
                                    const std::vector<std::filesystem::path>& beside,
                                    const ReadingPolicy& policy);

/// The error for a file whose reader left no result.
/// @param file  as the user named it
Error error_of(const WorkerResult& result, const std::string& file, const ReadingPolicy& policy);

/// The error for a file whose reader left a result that is none.
Error unreadable_result(const std::string& file);

} // namespace model_validator::process
