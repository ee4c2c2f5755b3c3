#include "verify/localize/first_divergence.h"

#include <algorithm>
#include <limits>
#include <map>

namespace model_validator::verify {
namespace {

constexpr double nothing_alike = std::numeric_limits<double>::infinity();
constexpr double shrinkage = 50; ///< leaves what honest rounding adds up to

/// The candidate's tensors by shape: only those can be the same.
using ByShape = std::multimap<std::vector<std::int64_t>, const Intermediate*>;

class Search {
public:
  Search(const OpTrace& reference, const std::vector<Intermediate>& candidate, double tolerance)
      : reference_(reference), tolerance_(tolerance) {
    for (const auto& intermediate : candidate)
      by_shape_.emplace(intermediate.sketch.shape, &intermediate);
    for (const auto& op : reference.ops) errors_.push_back(error_of(op));
  }

  Divergence run() {
    Divergence divergence;
    const auto first = first_divergent();
    for (std::size_t i = 0; i < reference_.ops.size(); ++i)
      if (is_measured(reference_.ops[i])) divergence.ops.push_back(comparison(i, i == first));
    if (first == nowhere)
      divergence.notes.emplace_back(
          "the candidate computes every result of the reference: its outputs are in another order, "
          "missing, or of another dtype");
    return divergence;
  }

private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  static bool is_measured(const TracedOp& op) {
    return std::any_of(op.outputs.begin(), op.outputs.end(),
                       [](const Sketch& sketch) { return sketch.real_valued; });
  }

  double nearest(const Sketch& sketch) const {
    double least = nothing_alike;
    const auto [begin, end] = by_shape_.equal_range(sketch.shape);
    for (auto it = begin; it != end && least > 0; ++it)
      least = std::min(least, distance(sketch, it->second->sketch));
    return least;
  }

  double error_of(const TracedOp& op) const {
    double worst = 0;
    for (const auto& output : op.outputs)
      if (output.real_valued && !output.samples.empty()) worst = std::max(worst, nearest(output));
    return worst;
  }

  bool differs(std::size_t op) const { return errors_[op] > tolerance_; }

  /// An error may shrink below the tolerance, in a small residual branch, and grow again.
  bool carries_error(std::size_t op) const { return errors_[op] > tolerance_ / shrinkage; }

  bool reads_only_what_agrees(std::size_t op) const {
    const auto& producers = reference_.ops[op].producers;
    return std::none_of(producers.begin(), producers.end(),
                        [&](std::size_t producer) { return differs(producer); });
  }

  /// Up from the differing outputs, along the error, to where it begins.
  std::size_t first_divergent() const {
    std::vector<std::size_t> open;
    for (const auto result : reference_.results)
      if (result != nowhere && carries_error(result)) open.push_back(result);
    std::vector<bool> seen(reference_.ops.size(), false);
    std::size_t first = nowhere;
    while (!open.empty()) {
      const auto op = open.back();
      open.pop_back();
      if (seen[op]) continue;
      seen[op] = true;
      if (differs(op) && reads_only_what_agrees(op)) first = std::min(first, op);
      for (const auto producer : reference_.ops[op].producers)
        if (carries_error(producer)) open.push_back(producer);
    }
    return first;
  }

  OpComparison comparison(std::size_t index, bool first) const {
    const auto& op = reference_.ops[index];
    OpComparison result;
    result.op = op.name;
    result.type = op.type;
    result.module = op.module;
    if (op.source.known()) result.source = op.source.file + ":" + std::to_string(op.source.line);
    result.error = errors_[index];
    result.tolerance = tolerance_;
    // Its inputs agree, so what differs is its own doing.
    if (differs(index) && reads_only_what_agrees(index)) result.introduced = errors_[index];
    result.first_divergent = first;
    return result;
  }

  const OpTrace& reference_;
  double tolerance_;
  ByShape by_shape_;
  std::vector<double> errors_;
};

} // namespace

Divergence find_divergence(const OpTrace& reference, const std::vector<Intermediate>& candidate,
                           double tolerance) {
  return Search(reference, candidate, tolerance).run();
}

} // namespace model_validator::verify
