#include "verify/localize/differing_region.h"

#include <algorithm>
#include <set>

namespace model_validator::verify {
namespace {

constexpr std::size_t max_region_ops = 64; ///< that are compared in place of one

bool is_read_of(const std::vector<ResultId>& producers, const CandidateResult& result) {
  return std::ranges::any_of(result.equals, [&](const ResultId& id) {
    return std::ranges::find(producers, id) != producers.end();
  });
}

/// From the first op that differs to the last that the candidate computes as one with it.
std::vector<std::string> ops_as_one(const Culprit& culprit, const OpTrace& trace) {
  std::set<std::size_t> ops{culprit.op};
  std::vector<std::string> names{trace.ops[culprit.op].name};
  for (std::size_t op = culprit.op + 1; op <= culprit.last.op && names.size() < max_region_ops;
       ++op) {
    const auto& producers = trace.ops[op].producers;
    const bool follows = std::ranges::any_of(
        producers, [&](const ResultId& producer) { return ops.count(producer.op) != 0; });
    if (!follows) continue;
    ops.insert(op);
    names.push_back(trace.ops[op].name);
  }
  return names;
}

/// Up from the place to values that the reference has as well.
std::vector<std::string> results_before(std::size_t place, const CandidateMatch& match) {
  std::vector<std::string> names;
  std::set<std::size_t> seen{place};
  std::vector<std::size_t> open{place};
  while (!open.empty() && names.size() < max_region_ops) {
    const CandidateResult& result = match.results[open.back()];
    open.pop_back();
    names.push_back(result.name);
    for (const std::size_t input : result.inputs)
      if (match.results[input].equals.empty() && seen.insert(input).second) open.push_back(input);
  }
  std::ranges::reverse(names);
  return names;
}

std::vector<std::string> results_behind(const TracedOp& op, const CandidateMatch& match) {
  std::vector<std::string> names;
  for (const CandidateResult& result : match.results) {
    if (result.name.empty() || !result.equals.empty() || names.size() >= max_region_ops) continue;
    const bool reads = std::ranges::any_of(result.inputs, [&](std::size_t input) {
      return is_read_of(op.producers, match.results[input]);
    });
    if (reads || (op.reads_inputs && result.inputs.empty())) names.push_back(result.name);
  }
  return names;
}

} // namespace

DifferingRegion region_of(const Culprit& culprit, const OpTrace& trace,
                          const CandidateMatch& match) {
  return {ops_as_one(culprit, trace), culprit.known ? results_before(culprit.candidate, match)
                                                    : results_behind(trace.ops[culprit.op], match)};
}

} // namespace model_validator::verify
