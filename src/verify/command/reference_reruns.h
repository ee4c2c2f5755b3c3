#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/output_judge.h"
#include "verify/compare/ranked_rows.h"
#include "verify/compare/runs.h"

#include <map>
#include <optional>
#include <utility>

namespace model_validator::verify {

/// An output of one call.
struct OutputPlace {
  std::size_t call = 0, output = 0; ///< in the reference
  std::size_t of_candidate = 0;     ///< the output there
};

/// Reruns of the reference, each made when it is first asked for: perturbed by roundings, in
/// float64, narrowed to the candidate's precision.
class ReferenceReruns {
public:
  /// @param narrowed  runs in the candidate's precision, where they are at hand
  ReferenceReruns(const ComparedPair& pair, const RunResults& reference,
                  std::optional<std::vector<RunResults>> narrowed = {});

  /// Of one output, as `Evidence` describes it.
  Evidence::Runs by_rounding(const OutputPlace& place);
  Evidence::Runs in_float64(const OutputPlace& place);
  Evidence::Runs in_precision_of_candidate(const OutputPlace& place, std::size_t max_runs);
  std::optional<Evidence::Unrounded> without_rounding(const OutputPlace& place);
  /// What the candidate gives in one call, with sorted rows where the reference has them: those
  /// whose keys differ by no more than the keys themselves may be off. From then on the other runs
  /// are read in that order as well. Nothing where no rows are sorted,
  /// or no op of the reference sorts any.
  std::optional<ReorderedRows> in_order_of_reference(std::size_t call,
                                                     const std::vector<Tensor>& candidate);
  /// Noise that all elements have, and what the reference computes in.
  const NoiseFloor* floor_of(const OutputPlace& place);
  /// Whether the reference rounds to steps: then chance decides which elements move.
  bool rounds_to_steps() const noexcept { return pair_.noise.rounds_to_steps; }
  /// None for a reference that differs from itself.
  const std::vector<RunResults>& perturbed();

private:
  void measure();
  const std::vector<RunResults>& narrowed(std::size_t count);
  void add(const RunResults& run, const OutputPlace& place, Evidence::Runs& found) const;
  double greatest_change(const RunResults& run, const OutputPlace& place) const;
  bool believes_float64(const OutputPlace& place) const;
  /// How far rounding, in the candidate's precision, moves the keys of sorted rows at most.
  double change_of_keys(const RankedRows& rows, std::size_t call);
  /// Rows of a call that are not sorted by chance; null where no call has such.
  const RankedRows* surely_ranked();

  const ComparedPair& pair_;
  const RunResults& reference_;
  std::optional<RunResults> measured_; ///< of the model at hand, where results are stored
  std::optional<RunResults> float64_;
  std::vector<RunResults> perturbed_;
  std::map<std::pair<std::size_t, std::size_t>, NoiseFloor> floors_; ///< by call and output
  std::vector<RunResults> narrowed_;
  bool can_be_narrowed_;
  struct UnroundedRuns {
    std::optional<RunResults> reference, candidate;
  };
  std::optional<UnroundedRuns> unrounded_;
  std::map<std::size_t, std::optional<RankedRows>> ranked_; ///< by call; none: no rows are
  std::optional<RankedRows> surely_ranked_;                 ///< of the first call that shows it
  std::size_t seen_for_ranks_ = 0;                          ///< calls that were looked at for it
};

class OutputEvidence final : public Evidence {
public:
  OutputEvidence(ReferenceReruns& runs, const OutputPlace& place) : runs_(runs), place_(place) {}
  Runs by_rounding() override { return runs_.by_rounding(place_); }
  Runs in_float64() override { return runs_.in_float64(place_); }
  Runs in_precision_of_candidate(std::size_t max_runs) override {
    return runs_.in_precision_of_candidate(place_, max_runs);
  }
  std::optional<Unrounded> without_rounding() override { return runs_.without_rounding(place_); }
  const NoiseFloor* floor() override { return runs_.floor_of(place_); }
  bool rounds_to_steps() override { return runs_.rounds_to_steps(); }

private:
  ReferenceReruns& runs_;
  OutputPlace place_;
};

} // namespace model_validator::verify
