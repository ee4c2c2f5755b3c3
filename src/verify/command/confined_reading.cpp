#include "verify/command/confined_reading.h"

#include "files/process/model_reading.h"
#include "libraries/front_end_library.h"

#include <model_validator/error.h>
#include <model_validator/target_profile.h>

namespace model_validator::verify {

std::string read_confined(const std::vector<std::filesystem::path>& models,
                          const VerifyRequest& request, const std::function<std::string()>& read,
                          std::optional<std::uint64_t> max_memory) {
  using process::WorkerResult;
  process::ReadingPolicy policy;
  policy.sandbox =
      process::sandbox_mode_from(request.sandbox).value_or(process::SandboxMode::automatic);
  if (max_memory) policy.max_memory = *max_memory;
  const auto confinement = process::confinement_for_reading(models, {rules_folder()}, policy);
  ReadOptions options;
  options.operator_libraries = request.operator_libraries;
  WorkerResult result = process::run_worker(
      read, confinement, [&](const std::string& library) { load_for_workers(library, options); },
      request.stop);
  if (result.ending != WorkerResult::Ending::done)
    throw process::error_of(result, models.front().string(), policy);
  return std::move(result.bytes);
}

} // namespace model_validator::verify
