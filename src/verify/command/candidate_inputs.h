#pragma once

#include "verify/inputs/input_files.h"

#include <model_validator/verify/inputs.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Which input of the reference each input of the candidate is; none for what the candidate alone
/// has.
using InputMatch = std::vector<std::optional<std::size_t>>;

/// By name, where names differ only in how exporters write them, and else by position.
/// Nothing where the candidate takes what the reference takes, or declares no inputs.
std::optional<InputMatch> match_inputs(const std::vector<InputNeed>& reference,
                                       const std::vector<InputNeed>& candidate);

/// What a candidate runs with that does not take the reference's inputs as they are.
struct CandidateInputs {
  std::vector<std::string> names;
  std::vector<Sample> samples;
  std::vector<std::vector<Sample>> later; ///< of each sample, what its later calls take
  std::vector<std::string> filled;        ///< that the candidate alone takes
  std::vector<std::string> left;          ///< that the reference alone takes
};

/// What was left out, and what was filled in.
std::vector<std::string> notes_on(const CandidateInputs& inputs,
                                  const std::vector<InputNeed>& candidate);

/// @param shapes  one for each sample
/// @throws Error (`missing-input`) naming inputs of the candidate that nothing says how to fill
CandidateInputs candidate_inputs(const std::vector<InputNeed>& reference,
                                 const std::vector<InputNeed>& candidate, const InputMatch& match,
                                 const std::vector<Sample>& samples,
                                 const std::vector<SampleShape>& shapes);

/// What either file says of its inputs is known of both: shapes and dtypes that the reference
/// leaves open, and sizes that only the candidate fixes. @returns notes on these
std::vector<std::string> take_over_declarations(std::vector<InputNeed>& reference,
                                                const std::vector<InputNeed>& candidate);

/// The candidate's names of the reference's inputs, in what the user gives, become the reference's.
void use_names_of_reference(InputOptions& options, const std::vector<InputNeed>& reference,
                            const std::vector<InputNeed>& candidate);

} // namespace model_validator::verify
