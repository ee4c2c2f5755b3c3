#include "verify/localize/differing_region.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

namespace model_validator::verify {
namespace {

constexpr std::size_t max_region_ops = 64; ///< that are compared in place of one
constexpr std::size_t max_constants = 16;  ///< that are kept of a region

bool is_read_of(const std::vector<ResultId>& producers, const CandidateResult& result) {
  return std::ranges::any_of(result.equals, [&](const ResultId& id) {
    return std::ranges::find(producers, id) != producers.end();
  });
}

/// The first op that differs and those unseen before it, to the last that the candidate computes as
/// one with them.
std::set<std::size_t> ops_as_one(const Culprit& culprit, const OpTrace& trace,
                                 const CandidateMatch& match) {
  std::set<std::size_t> ops = match.ops_unseen_before({culprit.op}, trace, max_region_ops - 1);
  ops.insert(culprit.op);
  for (std::size_t op = culprit.op + 1; op <= culprit.last.op && ops.size() < max_region_ops;
       ++op) {
    const auto& producers = trace.ops[op].producers;
    const bool follows = std::ranges::any_of(
        producers, [&](const ResultId& producer) { return ops.count(producer.op) != 0; });
    if (follows) ops.insert(op);
  }
  return ops;
}

/// Where all of its values are kept, and are more than one.
std::optional<ConstantResult> constant_of(const TracedOp& op, std::size_t result) {
  const Sketch& sketch = op.outputs.at(result);
  const auto count = std::accumulate(sketch.shape.begin(), sketch.shape.end(), std::int64_t{1},
                                     std::multiplies<>());
  auto values = single_values(sketch);
  if (op.varies || count < 2 || values.size() != static_cast<std::size_t>(count))
    return std::nullopt;
  return ConstantResult{op.name, sketch.shape, std::move(values)};
}

std::vector<ConstantResult> constants_of(const std::set<std::size_t>& ops, const OpTrace& trace) {
  std::vector<ConstantResult> found;
  std::set<ResultId> seen;
  for (const std::size_t op : ops)
    for (const ResultId& id : trace.ops[op].producers)
      if (found.size() < max_constants && seen.insert(id).second)
        if (auto constant = constant_of(trace.ops[id.op], id.index))
          found.push_back(std::move(*constant));
  return found;
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
  const auto ops = ops_as_one(culprit, trace, match);
  DifferingRegion region;
  for (const std::size_t op : ops) region.reference.push_back(trace.ops[op].name);
  region.candidate = culprit.known ? results_before(culprit.candidate, match)
                                   : results_behind(trace.ops[culprit.op], match);
  region.constants = constants_of(ops, trace);
  return region;
}

} // namespace model_validator::verify
