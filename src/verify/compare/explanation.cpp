#include "verify/compare/explanation.h"

#include "verify/compare/words.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace model_validator::verify {
namespace {

/// Fewer elements have no root mean square to speak of.
constexpr std::size_t least_group = 4;

/// Root mean squares of some elements: of the error, and of the greatest change there.
struct Sums {
  double error = 0, change = 0;
  std::size_t count = 0;
  void add(double e, double c) {
    error += e * e;
    change += c * c;
    ++count;
  }
  double rms_error() const {
    return count == 0 ? 0 : std::sqrt(error / static_cast<double>(count));
  }
  double rms_change() const {
    return count == 0 ? 0 : std::sqrt(change / static_cast<double>(count));
  }
};

class ExcessSearch {
public:
  ExcessSearch(const OutputRuns& runs, const NoiseLimits& limits, double tolerated, double seldom)
      : runs_(runs), limits_(limits), tolerated_(tolerated), seldom_(seldom),
        changes_(runs.greatest_changes()) {}

  std::optional<Excess> run() {
    look_at_whole();
    look_at_scale();
    for (std::size_t axis = 0; axis < runs_.shape.size(); ++axis) look_at_axis(axis);
    look_at_elements();
    return std::move(worst_);
  }

private:
  bool counts(std::size_t i) const {
    return std::isfinite(runs_.reference[i]) && std::isfinite(runs_.candidate[i]);
  }

  void consider(double found, double allowed, const std::string& where, const char* what,
                double explained) {
    const double least = std::max(allowed, tolerated_);
    if (found <= least) return;
    const double times = least > 0 ? found / least : 1e300;
    if (worst_ && worst_->times >= times) return;
    worst_ = {where + " is off by " + number(found) + what + ", where " + number(explained) +
                  " is explained",
              times};
  }

  void look_at_whole() {
    Sums sums;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (counts(i)) sums.add(runs_.error(i), changes_[i]);
    consider(sums.rms_error(), limits_.whole * sums.rms_change(), "the output",
             " (root mean square)", sums.rms_change());
  }

  /// Rounding hardly ever makes all values larger, or smaller.
  void look_at_scale() {
    double squares = 0, error = 0, change = 0, variance = 0;
    std::vector<double> slopes(runs_.others.size(), 0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!counts(i)) continue;
      const double value = runs_.reference[i];
      squares += value * value;
      error += value * runs_.error(i);
      variance += value * value * changes_[i] * changes_[i];
      ++count;
      for (std::size_t k = 0; k < slopes.size(); ++k)
        if (std::isfinite(runs_.others[k][i])) slopes[k] += value * (runs_.others[k][i] - value);
    }
    if (squares == 0 || count < least_group * least_group) return;
    for (const double slope : slopes) change = std::max(change, std::fabs(slope));
    const double allowed = limits_.whole * change + seldom_ * std::sqrt(variance);
    const double size = std::sqrt(squares / static_cast<double>(count));
    consider(std::fabs(error) / squares * size, allowed / squares * size, "the scale of the output",
             " of its root mean square", change / squares * size);
  }

  void look_at_axis(std::size_t axis) {
    const AxisGroups groups(runs_.shape, axis);
    if (groups.count() <= 1 || runs_.size() / groups.count() < least_group) return;
    std::vector<Sums> sums(groups.count());
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (counts(i)) sums[groups.group_of(i)].add(runs_.error(i), changes_[i]);
    std::vector<double> changes;
    for (const Sums& group : sums) changes.push_back(group.rms_change());
    const double usual = median_of(changes);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double explained = std::max(sums[i].rms_change(), usual);
      consider(sums[i].rms_error(), limits_.group * explained,
               "index " + std::to_string(i) + " of axis " + std::to_string(axis),
               " (root mean square)", explained);
    }
  }

  void look_at_elements() {
    const auto nearby = medians_nearby(changes_, runs_.reference, runs_.shape);
    Sums sums;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (counts(i)) sums.add(0, changes_[i]);
    // What lies near zero by chance rounds as its neighbours do.
    const double least = sums.rms_change() / 4;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!counts(i)) continue;
      const double explained = std::max({changes_[i], nearby[i], least});
      if (std::fabs(runs_.error(i)) > std::max(limits_.element * explained, tolerated_))
        consider(std::fabs(runs_.error(i)), limits_.element * explained,
                 "element " + index_text(coordinates(i)), "", explained);
    }
  }

  std::vector<std::int64_t> coordinates(std::size_t element) const {
    std::vector<std::int64_t> found;
    for (std::size_t axis = 0; axis < runs_.shape.size(); ++axis)
      found.push_back(static_cast<std::int64_t>(AxisGroups(runs_.shape, axis).group_of(element)));
    return found;
  }

  const OutputRuns& runs_;
  NoiseLimits limits_;
  double tolerated_, seldom_;
  std::vector<double> changes_;
  std::optional<Excess> worst_;
};

double deviation_of(const std::vector<double>& numbers) {
  double sum = 0, squares = 0, count = 0;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    sum += number;
    squares += number * number;
    ++count;
  }
  if (count == 0) return 0;
  const double mean = sum / count;
  return std::sqrt(std::max(0.0, squares / count - mean * mean));
}

double median_of_moved(std::vector<double> changes) {
  std::erase(changes, 0);
  return changes.empty() ? 0 : median_of(changes);
}

/// What the noise of each element allows.
std::vector<double> allowed_by_noise(const OutputRuns& runs, const NoiseFacts& facts,
                                     const Limits& limits, const std::vector<double>& changes) {
  if (facts.in_steps && !changes.empty()) {
    const double step = *std::ranges::max_element(changes);
    return std::vector<double>(changes.size(),
                               std::max(facts.everywhere, limits.times_a_step * step));
  }
  auto allowed = medians_nearby(changes, runs.reference, runs.shape);
  // Terms that cancel sum to an exact zero, which no run moves: it rounds as the others do.
  const double of_zeros = median_of_moved(changes);
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    const double nearby = runs.reference[i] == 0 && changes[i] == 0 ? of_zeros : allowed[i];
    allowed[i] = std::max({facts.everywhere, limits.times_noise_nearby * nearby,
                           limits.times_own_change * changes[i]});
  }
  return allowed;
}

/// Fewer elements may be equal by chance of their steps.
constexpr std::size_t least_of_lost = 16;

struct Range {
  double least = 1e300, greatest = -1e300;
  std::size_t count = 0;
  void add(double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
    ++count;
  }
  double width() const { return greatest - least; }
};

/// The first group of elements of which the candidate has nothing left.
template <class GroupOf>
std::optional<std::size_t> first_lost(const OutputRuns& runs, std::size_t groups, double negligible,
                                      const GroupOf& group_of) {
  std::vector<Range> own(groups), others(groups);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    own[group_of(i)].add(runs.reference[i]);
    others[group_of(i)].add(runs.candidate[i]);
  }
  for (std::size_t i = 0; i < groups; ++i)
    if (own[i].count >= least_of_lost && own[i].width() > negligible && others[i].width() == 0)
      return i;
  return std::nullopt;
}

/// Fewer are coordinates more often than classes.
constexpr std::int64_t least_classes = 5;

struct Row {
  std::size_t begin, reference, candidate; ///< where it begins, and the winners of both
};

/// Rows along the last axis whose winners differ.
template <class Visit> std::size_t for_each_other_winner(const OutputRuns& runs, Visit visit) {
  if (runs.shape.size() < 2 || runs.shape.back() < least_classes) return 0;
  const auto length = static_cast<std::size_t>(runs.shape.back());
  const auto winner = [&](const std::vector<double>& of, std::size_t begin) {
    const auto first = of.begin() + static_cast<std::ptrdiff_t>(begin);
    return static_cast<std::size_t>(
        std::max_element(first, first + static_cast<std::ptrdiff_t>(length)) - first);
  };
  std::size_t rows = 0;
  for (std::size_t begin = 0; begin + length <= runs.size(); begin += length, ++rows)
    if (const Row row{begin, winner(runs.reference, begin), winner(runs.candidate, begin)};
        row.reference != row.candidate)
      visit(row);
  return rows;
}

} // namespace

std::optional<Excess> find_excess(const OutputRuns& runs, const NoiseLimits& limits,
                                  double tolerated, double seldom) {
  return ExcessSearch(runs, limits, tolerated, seldom).run();
}

Excuses find_excuses(const OutputRuns& runs, const NoiseFacts& facts, const Limits& limits) {
  const auto changes = runs.greatest_changes();
  const auto allowed = allowed_by_noise(runs, facts, limits, changes);
  Excuses excuses;
  excuses.excused.resize(runs.size(), false);
  const bool has_spread = runs.size() >= least_group * least_group; // of fewer it is chance
  const double spread = has_spread ? deviation_of(runs.reference) : 1e300;
  std::size_t drowned = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double error = std::fabs(runs.error(i));
    if (changes[i] > 0 && changes[i] >= std::min(std::fabs(runs.reference[i]), spread)) ++drowned;
    if (error == 0 || !(error <= allowed[i])) continue;
    excuses.excused[i] = true;
    ++excuses.count;
    excuses.greatest = std::max(excuses.greatest, error);
    excuses.noise = std::max(excuses.noise, changes[i]);
  }
  excuses.is_undecided = 2 * drowned > runs.size();
  return excuses;
}

bool is_shown(const OutputRuns& runs, std::size_t element, const Limits& limits) {
  const double error = runs.error(element);
  return std::ranges::any_of(runs.others, [&](const std::vector<double>& other) {
    const double change = other[element] - runs.reference[element];
    return change * error > 0 && std::fabs(error) <= limits.times_a_step * std::fabs(change);
  });
}

std::optional<Lost> find_lost(const OutputRuns& runs, double negligible) {
  const std::string words = " varies in the reference, and is one number throughout in the "
                            "candidate: its precision leaves nothing of it";
  if (first_lost(runs, 1, negligible, [](std::size_t) { return 0; }))
    return Lost{"the output" + words, true};
  for (std::size_t axis = 0; axis < runs.shape.size(); ++axis) {
    const AxisGroups groups(runs.shape, axis);
    if (const auto lost = first_lost(runs, groups.count(), negligible,
                                     [&](std::size_t i) { return groups.group_of(i); }))
      return Lost{"index " + std::to_string(*lost) + " of axis " + std::to_string(axis) + words};
  }
  return std::nullopt;
}

bool is_drowned(const OutputRuns& runs, double visible) {
  double errors = 0, results = 0, count = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double error = runs.error(i), result = runs.reference[i];
    if (!std::isfinite(error) || !std::isfinite(result)) continue;
    errors += error * error;
    results += result * result;
    ++count;
  }
  return count > 0 && 2 * errors >= results && errors >= count * visible * visible;
}

Winners compare_winners(const OutputRuns& runs, const NoiseFacts& facts, const Limits& limits) {
  const auto allowed = allowed_by_noise(runs, facts, limits, runs.greatest_changes());
  Winners winners;
  winners.rows = for_each_other_winner(runs, [&](const Row& row) {
    ++winners.changed;
    const std::size_t was = row.begin + row.reference, is = row.begin + row.candidate;
    const double gap = runs.reference[was] - runs.reference[is];
    // Kernels may take numbers below for 0.
    constexpr double least = std::numeric_limits<float>::min();
    if (!(gap > std::max(least, allowed[was] + allowed[is]))) return;
    if (winners.unexplained++ == 0)
      winners.first = "row " +
                      std::to_string(row.begin / static_cast<std::size_t>(runs.shape.back())) +
                      ": " + std::to_string(row.candidate) + " instead of " +
                      std::to_string(row.reference) + ", which leads by " + number(gap);
  });
  return winners;
}

bool any_other_winner(const OutputRuns& runs) {
  bool any = false;
  for_each_other_winner(runs, [&](const Row&) { any = true; });
  return any;
}

} // namespace model_validator::verify
