#pragma once

#include "files/scratch_folder.h"

#include <model_validator/diagnostic.h>
#include <model_validator/verify/inputs.h>
#include <model_validator/verify/request.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace model_validator::cli {

/// How models are run to compare them.
struct ProofOptions {
  verify::InputOptions inputs;
  std::string sandbox = "auto";
  std::optional<std::chrono::milliseconds> timeout;
  std::vector<std::filesystem::path> operator_libraries;
  std::stop_token stop;
};

/// Shows that an edited model computes what the model before it did, and saves the same.
class Proof {
public:
  /// Runs the model, and stores what it computes. @throws Error where it cannot be run
  Proof(std::filesystem::path model, ProofOptions options);

  /// @param buffers  names that the edits gave to tensors that are saved along with the state
  /// @returns why the model differs; empty where it does not @throws Error (`interrupted`)
  std::string difference(const std::filesystem::path& edited, const std::set<std::string>& buffers);

  /// The same of a model that no edit was made for. A model that differs from itself in training
  /// mode is not compared in that.
  /// @throws Error (`not-repeatable`) where it differs from itself; (`interrupted`)
  std::string difference_unedited(const std::filesystem::path& exported,
                                  const std::set<std::string>& buffers);

  /// Why training mode was not compared; empty where it was.
  const std::string& not_trained() const noexcept { return not_trained_; }
  /// Sets of inputs that the outputs were compared for.
  std::size_t samples() const noexcept { return samples_; }
  /// Tensors of the model's state, once a model was compared with it.
  std::size_t tensors() const noexcept { return tensors_; }

private:
  enum class Mode : bool { evaluation, training };
  void store_outputs(Mode mode);
  std::filesystem::path stored(Mode mode) const;
  verify::VerifyRequest request_for(const std::filesystem::path& model, Mode mode) const;
  std::string outputs_differ(const std::filesystem::path& edited, Mode mode);
  std::string state_differs(const std::filesystem::path& edited,
                            const std::set<std::string>& buffers);

  std::filesystem::path model_;
  ProofOptions options_;
  ScratchFolder folder_; ///< of the stored outputs
  std::string not_trained_;
  std::size_t samples_ = 0;
  std::size_t tensors_ = 0;
};

/// What became of the findings, counted by their fingerprints.
/// @param fixed  those of `before` whose edits were made
/// @returns one that was fixed and is there again, or is new; empty where there is none
std::string unexpected_finding(const std::vector<Diagnostic>& before,
                               const std::vector<Diagnostic>& fixed,
                               const std::vector<Diagnostic>& after);

} // namespace model_validator::cli
