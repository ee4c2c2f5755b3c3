#pragma once

#include "verify/localize/op_trace.h"
#include "verify/run/narrowing.h"

#include <model_validator/verify/backend.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A reference with inputs, which is run again and again to see what its ops compute.
class ReferenceRun {
public:
  virtual ~ReferenceRun() = default;
  /// Runs it once, and sketches every tensor that an op gives.
  virtual OpTrace trace() const = 0;
  /// @param trace  of this reference
  /// @returns nothing where what is needed to measure it takes another path through the model
  /// @throws Error where it cannot be measured
  virtual std::optional<RoundingNoise> noise(const OpTrace& trace) const = 0;
  /// Runs it again, and keeps copies of these results alone.
  virtual std::map<ResultId, at::Tensor> results_of(const std::vector<ResultId>& wanted) const = 0;
};

/// A module that the interpreter runs. Its noise is its distance from a run in float64, or from one
/// in the precision of the candidate, `narrowing`.
std::unique_ptr<ReferenceRun> run_of_module(const torch::jit::Module& module,
                                            const std::vector<c10::IValue>& inputs,
                                            const std::optional<Narrowing>& narrowing = {});

/// Runs a model and shows its intermediates; nothing where its backend shows none.
using ShowRun = std::function<std::optional<std::vector<at::Tensor>>(const IntermediateRun&)>;

/// Runs a model and gives its outputs.
/// @param who  the reference or the candidate
/// @throws Error (`cannot-localize`) where its backend shows no intermediates
std::vector<at::Tensor> shown_outputs(const ShowRun& model, const IntermediateRun& run,
                                      const std::string& who);

/// A model that a backend runs op by op, as the file has it.
/// @param moved  the same model with its numbers moved by some roundings: how far that moves
///     results is their noise
std::unique_ptr<ReferenceRun> run_of_backend(ShowRun model, ShowRun moved);

} // namespace model_validator::verify
