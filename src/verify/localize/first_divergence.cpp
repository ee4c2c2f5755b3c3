#include "verify/localize/first_divergence.h"

#include <algorithm>

namespace model_validator::verify {
namespace {

constexpr double error_reduction_that_clears = 50; ///< leaves what rounding adds up to
/// Rounding that moves a result by such a share of its largest value makes other choices, as of
/// rows: that the candidate has a like one says nothing of what it is computed from.
constexpr double max_usable_noise = 0.05;

class ErrorFlow {
public:
  ErrorFlow(const OpTrace& trace, const Tolerances& tolerances, const CandidateMatch& match)
      : trace_(trace), tolerances_(tolerances), match_(match) {
    for (std::size_t op = 0; op < trace.ops.size(); ++op)
      errors_.push_back(trace.ops[op].varies ? match.error_of(op) : 0);
    find_right_behind();
  }

  /// Up from the differing outputs, along the error, to where it begins.
  ErrorSources sources() const {
    const bool any_differs = !differing_outputs(tolerances_, match_.outputs).empty();
    ErrorSources found;
    found.ops = any_differs
                    ? followed(starts(), [this](std::size_t op) { return carries_error(op); })
                    : followed(starts(), [this](std::size_t op) { return differs(op); });
    for (const auto op : found.ops)
      if (!right_behind_[op]) found.wrong.push_back(op);
    if (!any_differs) found.ops = found.wrong;
    return found;
  }

private:
  std::vector<std::size_t> starts() const {
    std::vector<std::size_t> makers;
    for (const auto output : differing_outputs(tolerances_, match_.outputs))
      if (const auto& maker = trace_.results[output]) makers.push_back(maker->op);
    if (!makers.empty()) return makers;
    for (const auto& maker : trace_.results)
      if (maker) makers.push_back(maker->op);
    for (std::size_t op = 0; op < trace_.ops.size(); ++op)
      if (tolerances_.ops[op] >= max_usable_noise) makers.push_back(op);
    return makers;
  }

  template <class Leads>
  std::vector<std::size_t> followed(std::vector<std::size_t> open, const Leads& leads) const {
    std::vector<bool> seen(trace_.ops.size(), false);
    std::vector<std::size_t> found;
    while (!open.empty()) {
      const auto op = open.back();
      open.pop_back();
      if (seen[op]) continue;
      seen[op] = true;
      if (differs(op) && reads_only_what_agrees(op)) found.push_back(op);
      for (const auto& producer : trace_.ops[op].producers)
        if (leads(producer.op)) open.push_back(producer.op);
    }
    std::ranges::sort(found);
    return found;
  }

  void find_right_behind() {
    std::vector<std::vector<std::size_t>> readers(trace_.ops.size());
    for (std::size_t op = 0; op < trace_.ops.size(); ++op)
      for (const ResultId& read : trace_.ops[op].producers) readers[read.op].push_back(op);
    right_behind_.assign(trace_.ops.size(), false);
    for (std::size_t op = trace_.ops.size(); op-- > 0;)
      right_behind_[op] = is_right_behind(op, readers[op]);
  }

  /// Whether all that reads an op's result agrees, and an error of its size would show in one. What
  /// the candidate computes as one agrees behind its last op.
  bool is_right_behind(std::size_t op, const std::vector<std::size_t>& readers) const {
    bool shows = false;
    for (const std::size_t reader : readers) {
      if (differs(reader) && !right_behind_[reader]) return false;
      shows = shows || differs(reader) ||
              std::min(1.0, errors_[op]) * largest(op) > unseen(reader) * largest(reader);
    }
    return shows;
  }

  /// The error that may hide in a result that agrees. What is chosen agrees to the bit, whatever it
  /// is chosen by; what is computed has errors of its own.
  double unseen(std::size_t op) const {
    const double tolerance = tolerances_.ops[op];
    if (tolerance < max_usable_noise) return tolerance;
    return errors_[op] > 0 ? error_reduction_that_clears * errors_[op] : 1;
  }

  double largest(std::size_t op) const {
    double most = 0;
    for (const Sketch& result : trace_.ops[op].outputs) most = std::max(most, result.largest);
    return most;
  }

  bool differs(std::size_t op) const { return errors_[op] > tolerances_.ops[op]; }

  /// An error may shrink below the tolerance, in a small residual branch or beside a sentinel, and
  /// grow again.
  bool carries_error(std::size_t op) const {
    return errors_[op] > tolerances_.ops[op] / error_reduction_that_clears ||
           (errors_[op] > 0 && !reads_only_what_agrees(op));
  }

  /// Masks and indices are often computed in other ways: that there is no equal one says little.
  bool reads_only_what_agrees(std::size_t op) const {
    const auto& producers = trace_.ops[op].producers;
    return std::ranges::none_of(producers, [&](const ResultId& producer) {
      return trace_.ops[producer.op].real_valued() && differs(producer.op);
    });
  }

  const OpTrace& trace_;
  const Tolerances& tolerances_;
  const CandidateMatch& match_;
  std::vector<double> errors_;
  std::vector<bool> right_behind_; ///< by op
};

} // namespace

std::vector<std::size_t> differing_outputs(const Tolerances& tolerances,
                                           const std::vector<Nearest>& outputs) {
  std::vector<std::size_t> differing;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].error > tolerances.outputs[i]) differing.push_back(i);
  return differing;
}

ErrorSources sources_of_error(const OpTrace& trace, const Tolerances& tolerances,
                              const CandidateMatch& match) {
  return ErrorFlow(trace, tolerances, match).sources();
}

} // namespace model_validator::verify
