#pragma once

#include "verify/command/model_file.h"
#include "verify/command/quantised_copy.h"
#include "verify/inputs/golden_folder.h"

#include <model_validator/verify/request.h>

#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What a request names: two models, or a model and a stand-in for another, and their inputs.
struct ComparedPair {
  const VerifyRequest& request;
  ModelFile reference;                ///< the model at hand; the candidate where results are stored
  std::optional<ModelFile> candidate; ///< none where the reference itself is compiled
  std::vector<std::string> input_names;
  std::vector<Sample> samples;
  /// Calls of each sample; none: as many as the state of the reference requires.
  std::optional<std::size_t> steps;
  std::optional<GoldenFolder> golden;      ///< stored results, which are the reference then
  std::vector<std::string> made_up_inputs; ///< that nobody gave, so they are random
  std::optional<NarrowCopy> narrow;        ///< in how few bits the candidate computes, if in fewer

  const ModelFile& candidate_model() const { return candidate ? *candidate : reference; }
  std::string reference_name() const;
  std::string reference_backend() const; ///< in words
  std::string candidate_backend() const;
  std::string candidate_name() const;     ///< empty where there is no candidate
  BackendOptions backend_options() const; ///< for the candidate, as users run it
  BackendOptions options_of_reference() const;
  /// Whether the candidate is a copy of the reference in whole numbers of few bits.
  bool is_quantised() const { return narrow && narrow->is_quantised(); }
  std::size_t calls() const { return steps.value_or(1); }

  /// Whether the outputs of both sides have names of the same origin. LibTorch gives both sides the
  /// names of what they return; other formats have their own names, and outputs are matched by
  /// order.
  bool shares_names() const;
};

/// Reads what the request names, in processes that can only compute. Runs no code of the models.
/// @throws Error for a request that makes no sense, and for files that cannot be read
ComparedPair open_pair(const VerifyRequest& request);

/// What each sample calls with, in the types that the reference declares.
/// @param reference  as it was read in this process
std::vector<std::vector<c10::IValue>> arguments_of(const ComparedPair& pair,
                                                   const ModelFile& reference);

} // namespace model_validator::verify
