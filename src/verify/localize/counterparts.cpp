#include "verify/localize/counterparts.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

namespace model_validator::verify {
namespace {

constexpr std::size_t max_ops = 12;    ///< that a compiler is assumed to compute as one
constexpr std::size_t max_of_each = 8; ///< places that are tried for one result
constexpr std::size_t max_steps = 24;  ///< of the candidate, for one op of the reference

/// `batchnorm` of `batch_norm`, `conv` of `conv2d`: what spellings of a type have in common.
std::string plain(std::string_view type) {
  std::string text;
  for (const unsigned char letter : type.substr(0, type.find_first_of("0123456789")))
    if (std::isalpha(letter) != 0) text += static_cast<char>(std::tolower(letter));
  return text;
}

bool begins_alike(const std::string& left, const std::string& right) {
  const auto common = std::min(left.size(), right.size());
  return common > 1 && left.compare(0, common, right, 0, common) == 0;
}

class CounterpartSearch {
public:
  CounterpartSearch(std::size_t op, const OpTrace& trace, const Tolerances& tolerances,
                    const CandidateMatch& match)
      : op_(op), trace_(trace), tolerances_(tolerances), match_(match) {}

  std::vector<Counterpart> run() {
    count_steps();
    std::vector<Counterpart> found;
    for (const auto op : ops_that_may_be_one())
      for (std::size_t i = 0; i < trace_.ops[op].outputs.size(); ++i) add_places({op, i}, found);
    return found;
  }

private:
  bool differs(std::size_t op) const { return match_.error_of(op) > tolerances_.ops[op]; }

  /// The op, and those after it that the error passes through.
  std::vector<std::size_t> ops_that_may_be_one() const {
    std::vector<std::size_t> ops{op_};
    if (!trace_.ops[op_].real_valued()) return ops;
    for (std::size_t next = op_ + 1; next < trace_.ops.size() && ops.size() < max_ops; ++next) {
      const auto& producers = trace_.ops[next].producers;
      const bool reads = std::ranges::any_of(producers, [&](const auto& producer) {
        return std::ranges::find(ops, producer.op) != ops.end();
      });
      if (reads && differs(next)) ops.push_back(next);
    }
    return ops;
  }

  bool is_read_by_op(const CandidateResult& result) const {
    const auto& producers = trace_.ops[op_].producers;
    return std::ranges::any_of(result.equals, [&](const ResultId& id) {
      return std::ranges::find(producers, id) != producers.end();
    });
  }

  /// How many operators of the candidate lie between what the op reads and each of its results.
  void count_steps() {
    for (const auto& result : match_.results) {
      std::optional<std::size_t> steps;
      if (is_read_by_op(result))
        steps = 0;
      else if (result.equals.empty())
        steps = steps_after(result);
      steps_.push_back(steps);
    }
  }

  std::optional<std::size_t> steps_after(const CandidateResult& result) const {
    std::optional<std::size_t> least;
    if (result.inputs.empty() && trace_.ops[op_].reads_inputs) return 1;
    for (const auto input : result.inputs)
      if (steps_[input] && *steps_[input] < max_steps)
        least = std::min(least.value_or(max_steps), *steps_[input] + 1);
    return least;
  }

  void add_places(ResultId id, std::vector<Counterpart>& found) const {
    const auto& wanted = trace_.ops[id.op].outputs[id.index];
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < match_.results.size(); ++i) {
      const auto& result = match_.results[i];
      if (steps_[i] && !result.name.empty() && result.equals.empty() &&
          without_single_axes(result.shape) == wanted.shape &&
          c10::isFloatingType(result.dtype) == c10::isFloatingType(wanted.dtype))
        places.push_back(i);
    }
    const auto& nearest = match_.nearest[id.op][id.index];
    const auto unlikelihood = [&](std::size_t place) {
      const bool is_nearest = nearest.error != nothing_alike && nearest.candidate == place;
      const bool is_alike = is_of_type(match_.results[place].op, trace_.ops[id.op].type);
      return std::pair(!is_alike, is_nearest ? 0 : *steps_[place]);
    };
    std::ranges::stable_sort(places, [&](std::size_t left, std::size_t right) {
      return unlikelihood(left) < unlikelihood(right);
    });
    places.resize(std::min(places.size(), max_of_each));
    for (const auto place : places) found.push_back({id, place, *steps_[place]});
  }

  std::size_t op_;
  const OpTrace& trace_;
  const Tolerances& tolerances_;
  const CandidateMatch& match_;
  std::vector<std::optional<std::size_t>> steps_;
};

} // namespace

bool is_of_type(const std::string& candidate_op, const std::string& type) {
  const std::string_view op = candidate_op;
  const std::string wanted = plain(type);
  if (begins_alike(plain(op.substr(0, op.find(' '))), wanted)) return true;
  const auto origin = op.rfind("::");
  return origin != std::string_view::npos &&
         begins_alike(plain(op.substr(origin, op.find('/', origin) - origin)), wanted);
}

std::vector<Counterpart> counterparts_of(std::size_t op, const OpTrace& trace,
                                         const Tolerances& tolerances,
                                         const CandidateMatch& match) {
  return CounterpartSearch(op, trace, tolerances, match).run();
}

} // namespace model_validator::verify
