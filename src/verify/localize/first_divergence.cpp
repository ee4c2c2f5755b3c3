#include "verify/localize/first_divergence.h"

#include <algorithm>

namespace model_validator::verify {
namespace {

constexpr double shrinkage = 50; ///< leaves what rounding adds up to

class ErrorFlow {
public:
  ErrorFlow(const OpTrace& trace, const Tolerances& tolerances, const CandidateMatch& match)
      : trace_(trace), tolerances_(tolerances), match_(match), seen_(trace.ops.size(), false) {
    for (std::size_t op = 0; op < trace.ops.size(); ++op)
      errors_.push_back(trace.ops[op].varies ? match.error_of(op) : 0);
  }

  /// Up from the differing outputs, along the error, to where it begins.
  std::vector<std::size_t> sources() {
    for (const auto output : differing_outputs(tolerances_, match_.outputs))
      if (const auto& maker = trace_.results[output]) open_.push_back(maker->op);
    std::vector<std::size_t> found;
    while (!open_.empty()) {
      const auto op = open_.back();
      open_.pop_back();
      if (seen_[op]) continue;
      seen_[op] = true;
      if (differs(op) && reads_only_what_agrees(op)) found.push_back(op);
      for (const auto& producer : trace_.ops[op].producers)
        if (carries_error(producer.op)) open_.push_back(producer.op);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

private:
  bool differs(std::size_t op) const { return errors_[op] > tolerances_.ops[op]; }

  /// An error may shrink below the tolerance, in a small residual branch or beside a sentinel, and
  /// grow again.
  bool carries_error(std::size_t op) const {
    return errors_[op] > tolerances_.ops[op] / shrinkage ||
           (errors_[op] > 0 && !reads_only_what_agrees(op));
  }

  /// Masks and indices are often computed in other ways: that there is no equal one says little.
  bool reads_only_what_agrees(std::size_t op) const {
    const auto& producers = trace_.ops[op].producers;
    return std::none_of(producers.begin(), producers.end(), [&](const ResultId& producer) {
      return trace_.ops[producer.op].real_valued() && differs(producer.op);
    });
  }

  const OpTrace& trace_;
  const Tolerances& tolerances_;
  const CandidateMatch& match_;
  std::vector<double> errors_;
  std::vector<bool> seen_;
  std::vector<std::size_t> open_;
};

} // namespace

std::vector<std::size_t> differing_outputs(const Tolerances& tolerances,
                                           const std::vector<Nearest>& outputs) {
  std::vector<std::size_t> differing;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].error > tolerances.outputs[i]) differing.push_back(i);
  return differing;
}

std::vector<std::size_t> sources_of_error(const OpTrace& trace, const Tolerances& tolerances,
                                          const CandidateMatch& match) {
  return ErrorFlow(trace, tolerances, match).sources();
}

} // namespace model_validator::verify
