#pragma once

#include "files/scratch_folder.h"
#include "verify/command/model_runs.h"
#include "verify/run/isolated.h"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>

namespace model_validator::verify {

/// What the process of a model is asked for.
struct RunRequest {
  RunKind kind = RunKind::as_it_is;
  std::size_t count = 1; ///< runs
  std::optional<std::size_t> steps = {};
  std::uint64_t first_seed = 0; ///< of the first run; each further one has the next
};

template <class Archive> void describe(Archive& archive, RunRequest& request) {
  archive(request.kind, request.count, request.steps, request.first_seed);
}

template <class Archive> void describe(Archive& archive, UnroundedWeights& weights) {
  archive(weights.misfits, weights.is_complete, weights.are_all_found, weights.is_guessed);
}
template <class Archive> void describe(Archive& archive, LostLayer& layer) {
  archive(layer.name, layer.first, layer.kept, layer.explained, layer.greatest, layer.is_lost);
}
template <class Archive> void describe(Archive& archive, HalfLoss& loss) {
  archive(loss.op, loss.divides);
}

/// The two processes that run the models of a pair, each from when it is first asked.
class ModelRunners {
public:
  /// Where the inputs of the pair have changed since a process was started, another takes its
  /// place. What it leaves is in its folder until it is asked again.
  IsolatedOutcome ask(const ComparedPair& pair, Side side, RunRequest request);
  const std::filesystem::path& folder(Side side) const {
    return runners_.at(static_cast<std::size_t>(side))->folder.path();
  }
  /// For its memory, where it is hardly asked again: then another is started.
  void end(Side side) { runners_.at(static_cast<std::size_t>(side)).reset(); }

private:
  struct Runner {
    Runner(const ComparedPair& pair, Side side);
    ScratchFolder folder;
    IsolatedRunner process;
    std::size_t revision;
  };
  std::array<std::unique_ptr<Runner>, 2> runners_;
};

/// Where a process leaves the results of a run, and anything else.
inline std::filesystem::path results_folder(const std::filesystem::path& folder, std::size_t run) {
  return folder / std::to_string(run);
}
inline std::filesystem::path value_file(const std::filesystem::path& folder) {
  return folder / "value";
}

} // namespace model_validator::verify
