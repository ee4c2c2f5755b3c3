#pragma once

#include "verify/command/candidate_inputs.h"
#include "verify/command/file_reading.h"
#include "verify/command/model_file.h"
#include "verify/command/quantised_copy.h"
#include "verify/command/results.h"
#include "verify/inputs/golden_folder.h"

#include <model_validator/verify/request.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Which model takes, as inputs, the state that the other keeps from call to call.
enum class StateTaker { reference, candidate };

class ModelRunners;

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
  std::vector<std::string> made_up_inputs; ///< that nobody gave
  std::optional<NarrowCopy> narrow;        ///< in how few bits the candidate computes, if in fewer
  GraphNoise noise = {};                   ///< of the reference
  std::vector<NonFiniteTensor> with_nan = {}; ///< weights of the candidate
  std::vector<SampleShape> shapes = {};       ///< of the samples; none where results are stored
  /// Where nobody says which samples to run, those that the reference runs with are taken.
  bool chooses_samples = false;
  /// Of each sample, what its later calls take; with caches that are given back, what the reference
  /// took, once it has run.
  std::vector<std::vector<Sample>> later = {};
  bool generates = false; ///< caches are given back from call to call
  /// Of each sample, the tokens of its later calls, once they are chosen.
  std::vector<std::vector<Tensor>> tokens = {};
  std::optional<CandidateInputs> candidate_inputs = {}; ///< where they are not the reference's
  std::optional<StateTaker> state_taker = {};
  std::vector<std::string> notes = {}; ///< on the inputs
  std::size_t revision = 0;            ///< of the inputs, which processes that run models know
  std::shared_ptr<ModelRunners> runners = {};

  const ModelFile& candidate_model() const { return candidate ? *candidate : reference; }
  std::string reference_name() const;
  std::string reference_backend() const; ///< in words
  std::string candidate_backend() const;
  std::string candidate_name() const;     ///< empty where there is no candidate
  BackendOptions backend_options() const; ///< for the candidate, as users run it
  BackendOptions options_of_reference() const;
  /// Whether the candidate is a copy of the reference in whole numbers of few bits.
  bool is_quantised() const { return narrow && narrow->is_quantised(); }
  /// How the candidate rounds what that output depends on, if it does.
  std::optional<Narrowing> narrowing_of(std::size_t output) const {
    return narrow && narrow->reaches(output) ? std::optional(narrow->narrowing) : std::nullopt;
  }
  std::size_t calls() const { return steps.value_or(1); }
  /// Data of the user's own, not random values of the shapes and ranges that the user names.
  bool has_data() const {
    const InputOptions& given = request.inputs;
    return made_up_inputs.empty() && (given.specs.empty() || !given.files.empty());
  }
  /// What the reference takes in a call. @param step  from 0
  const Sample& inputs_of_call(std::size_t sample, std::size_t step) const;

  /// Whether the outputs of both sides have names of the same origin. LibTorch gives both sides the
  /// names of what they return; other formats have their own names, and outputs are matched by
  /// order.
  bool shares_names() const;
};

/// Reads what the request names, in processes that can only compute. Runs no code of the models.
/// @returns none where what lint found forbids to go on
/// @throws Error for a request that makes no sense, and for files that cannot be read
std::optional<ComparedPair> open_pair(const VerifyRequest& request);

/// Takes the standard samples of that attempt, and what the candidate runs with.
/// @returns whether there is such an attempt
bool take_standard_samples(ComparedPair& pair, std::size_t attempt);
/// Takes one sample of so many elements after so many others.
void take_sample_of(ComparedPair& pair, std::int64_t sequence, std::int64_t past);
/// Keeps only some of the samples.
void keep_samples(ComparedPair& pair, const std::vector<std::size_t>& kept);

/// What each sample calls with, in the types that the model declares.
/// @param model  as it was read in this process
/// @param failed  receives the samples that the model does not take; null: these are errors
std::vector<std::vector<c10::IValue>> arguments_of(const std::vector<Sample>& samples,
                                                   const ModelFile& model,
                                                   std::vector<FailedSample>* failed = nullptr);

} // namespace model_validator::verify
