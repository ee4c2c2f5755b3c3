#pragma once

#include "verify/command/other_runs.h"
#include "verify/compare/explanation.h"

#include <model_validator/verify/report.h>

namespace model_validator::verify {

/// Judges an output again that the plain rule does not settle: by what rounding does to the very
/// same elements of the reference, or by what the candidate's precision costs there.
class OutputJudge {
public:
  OutputJudge(const ComparedPair& pair, OtherRuns& runs) : pair_(pair), runs_(runs) {}

  void judge(OutputReport& output, const OutputPlace& place, const TensorView& reference,
             const TensorView& candidate);

  /// Whether the candidate's precision had to explain anything.
  bool judged_by_precision() const noexcept { return by_precision_; }

private:
  void judge_floats(OutputReport& output, const OutputPlace& place, OutputRuns& runs, DType dtype);
  void judge_by_precision(OutputReport& output, const OutputPlace& place, OutputRuns& runs,
                          DType dtype);
  std::optional<Excess> excess_without_rounding(const OutputPlace& place, const OutputRuns& runs,
                                                double tolerated);
  void judge_by_rounding(OutputReport& output, const OutputPlace& place, OutputRuns& runs,
                         DType dtype);
  void judge_half_reference(OutputReport& output, const OutputPlace& place, OutputRuns& runs);
  void judge_winners(OutputReport& output, const OutputPlace& place, OutputRuns& runs);
  void judge_whole_numbers(OutputReport& output, const OutputPlace& place, OutputRuns& runs);

  NoiseFacts facts_of(const OutputPlace& place);
  bool is_narrow(const OutputPlace& place) const {
    return pair_.narrow && pair_.narrow->reaches(place.output);
  }

  const ComparedPair& pair_;
  OtherRuns& runs_;
  bool by_precision_ = false;
};

} // namespace model_validator::verify
