#pragma once

#include "verify/inputs/npz.h"
#include "verify/run/forks.h"

#include <model_validator/error.h>
#include <model_validator/verify/report.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A sample that a model does not run with.
struct FailedSample {
  std::size_t sample = 0;
  std::string message;
  std::string hint;
};

/// What a model returned, as one process hands it to another.
struct RunResults {
  std::vector<NamedTensors> samples; ///< one per call, those of a sample together
  std::size_t steps = 1;             ///< calls of each sample
  std::vector<Incident> incidents;   ///< inputs changed, not deterministic
  std::vector<std::string> notes;    ///< on how it was compiled, each once
  std::vector<FailedSample> failed;  ///< their results are empty
  /// Whether a call gives anything else than it gives first; none where that was not looked at.
  std::optional<bool> remembers = {};
  NamedTensors kept = {}; ///< what of the model's state the first call changes, as the file has it
  std::vector<Fork> forks = {}; ///< of the reference, in the order in which they were met
};

template <class Archive> void describe(Archive& archive, FailedSample& failed) {
  archive(failed.sample, failed.message, failed.hint);
}

template <class Archive> void describe(Archive& archive, Fork& fork) {
  archive(fork.name, fork.branches, fork.ways[0], fork.ways[1], fork.taken[0], fork.taken[1]);
}

template <class Archive> void describe(Archive& archive, Incident& incident) {
  archive(incident.kind, incident.message, incident.hint, incident.failure);
}

/// What cannot be done is noted, and ends nothing else; an interruption does.
template <class Work>
void note_failure(VerifyReport& report, const std::string& what, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    report.notes.push_back(what + ": " + error.what());
  }
}

/// Both work on a folder that exists.
void write_results(const std::filesystem::path& folder, const RunResults& results);
RunResults read_results(const std::filesystem::path& folder);

/// Whether a second run gave something else.
bool changes_between_runs(const RunResults& results);

/// Whether each of some results equals the first of them to the last bit.
bool repeats(const std::vector<NamedTensors>& results, std::size_t first, std::size_t count);

/// The outputs of a sample as a nested value with their names.
/// @param by_name  a dict, so that they are matched by their names, whatever their order
Value as_value(const NamedTensors& outputs, bool by_name);

/// Whether their names are keys, not positions in a list or tuple.
bool come_from_dict(const NamedTensors& outputs);
/// Whether both have the same such names, in any order.
bool have_same_names(const NamedTensors& outputs, const NamedTensors& others);

} // namespace model_validator::verify
