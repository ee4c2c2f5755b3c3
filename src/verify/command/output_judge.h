#pragma once

#include "verify/compare/explanation.h"
#include "verify/run/narrowing.h"

#include <model_validator/verify/report.h>

#include <cstddef>
#include <optional>

namespace model_validator::verify {

/// What other runs say of one output, each made when it is first asked for; empty where it could
/// not be made.
class Evidence {
public:
  using Runs = std::vector<std::vector<double>>;
  /// In the candidate's precision: together they show the size of what each element may be off by.
  static constexpr std::size_t narrowed_runs = 3;
  /// What remains of a candidate in halves without the rounding of its results: it in float64, and
  /// the reference with its weights in halves.
  struct Unrounded {
    std::vector<double> reference, candidate;
  };

  Evidence() = default;
  Evidence(const Evidence&) = delete;
  Evidence& operator=(const Evidence&) = delete;
  virtual ~Evidence() = default;

  /// The reference with its inputs, weights and constants moved by some roundings, and in float64
  /// where the two agree on how large noise is.
  virtual Runs by_rounding() = 0;
  virtual Runs in_float64() = 0;
  /// Rounded as the candidate rounds: the first to the nearest, the others elsewhere. Each more
  /// explains more, and costs a run.
  virtual Runs in_precision_of_candidate(std::size_t max_runs) = 0;
  virtual std::optional<Unrounded> without_rounding() = 0;
  /// Noise that all elements have, and what the reference computes in; null where nothing is known.
  virtual const NoiseFloor* floor() = 0;
  /// Whether the reference rounds to steps: then chance decides which elements move.
  virtual bool rounds_to_steps() = 0;
};

/// Judges an output again that the plain rule does not settle: by what rounding does to the very
/// same elements of the reference, or by what the candidate's precision costs there.
class OutputJudge {
public:
  /// @param narrowing  how the candidate rounds what the output depends on, if it does
  /// @param inputs_are_real  on others a copy may lose what it keeps on those it was made for
  OutputJudge(std::optional<Narrowing> narrowing, Evidence& evidence, Limits limits = {},
              bool inputs_are_real = false)
      : narrowing_(std::move(narrowing)), evidence_(evidence), limits_(limits),
        inputs_are_real_(inputs_are_real) {}

  void judge(OutputReport& output, const TensorView& reference, const TensorView& candidate);

  /// Whether the candidate's precision had to explain anything.
  bool judged_by_precision() const noexcept { return by_precision_; }

private:
  void judge_floats(OutputReport& output, OutputRuns& runs, DType dtype);
  void judge_by_precision(OutputReport& output, OutputRuns& runs, DType dtype);
  std::optional<Excess> excess_without_rounding(const OutputRuns& runs, double tolerated);
  void judge_by_rounding(OutputReport& output, OutputRuns& runs, DType dtype);
  bool leaves_too_little(const OutputRuns& runs) const;
  void look_for_lost(OutputReport& output, const OutputRuns& runs) const;
  void judge_half_reference(OutputReport& output, OutputRuns& runs);
  void judge_winners(OutputReport& output, OutputRuns& runs);
  void judge_whole_numbers(OutputReport& output, OutputRuns& runs);

  NoiseFacts facts();
  bool is_quantised() const { return narrowing_ && !narrowing_->is_half(); }
  const NoiseLimits& limits_of_precision() const;
  std::optional<Excess> beyond(const OutputRuns& runs, const NoiseLimits& limits,
                               double tolerated) const {
    return find_excess(runs, limits, tolerated, limits_.seldom);
  }

  std::optional<Narrowing> narrowing_;
  Evidence& evidence_;
  Limits limits_;
  bool inputs_are_real_;
  bool by_precision_ = false;
};

} // namespace model_validator::verify
