#include "verify/localize/candidate_match.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace model_validator::verify {
namespace {

/// Another order of summation, another algorithm of convolution: measured on real models, correct
/// compilers stay well below this many times the reference's own noise.
constexpr double times_noise = 32;
/// Noise is no accident where it is large: behind float16 the candidate's is about as large.
constexpr double times_large_noise = 4;
constexpr double large = 3e-4; ///< what is allowed from here on
/// Where the run in float64 does not show it: the default checker's tolerance for float32.
constexpr double unknown_noise = 1e-4 / times_noise;

/// Where rounding happens to cancel, a result has no noise: this much is allowed anyway.
double least_tolerance(c10::ScalarType type) {
  switch (type) {
  case c10::kDouble:
  case c10::kComplexDouble: return 4e-9;
  case c10::kHalf: return 4e-3;
  case c10::kBFloat16: return 3e-2;
  default: return 4e-6;
  }
}

/// Integers and booleans are equal or differ.
double tolerance_of(const Sketch& sketch, double noise) {
  if (!sketch.real_valued) return 0;
  const double allowed = std::max(std::min(times_noise * noise, large), times_large_noise * noise);
  return std::max(least_tolerance(sketch.dtype), allowed);
}

/// Results that an op reads or the model returns. The others a candidate need not compute, as the
/// last states of an LSTM.
std::set<ResultId> used_results(const OpTrace& trace) {
  std::set<ResultId> used;
  for (const auto& op : trace.ops) used.insert(op.producers.begin(), op.producers.end());
  for (const auto& result : trace.results)
    if (result) used.insert(*result);
  return used;
}

class Matcher {
public:
  Matcher(const OpTrace& trace, const Tolerances& tolerances)
      : trace_(trace), tolerances_(tolerances) {
    for (std::size_t op = 0; op < trace.ops.size(); ++op) {
      match.nearest.emplace_back(trace.ops[op].outputs.size());
      for (std::size_t i = 0; i < trace.ops[op].outputs.size(); ++i)
        by_shape_.emplace(trace.ops[op].outputs[i].shape, ResultId{op, i});
    }
  }

  void ignore_unused() {
    const auto used = used_results(trace_);
    for (std::size_t op = 0; op < match.nearest.size(); ++op)
      for (std::size_t i = 0; i < match.nearest[op].size(); ++i)
        if (match.nearest[op].size() > 1 && used.count({op, i}) == 0)
          match.nearest[op][i].error = 0;
  }

  void see(const Intermediate& shown) {
    CandidateResult result{shown.name,
                           shown.op,
                           {},
                           shown.tensor.sizes().vec(),
                           shown.tensor.scalar_type(),
                           sketch_of(shown.tensor),
                           {}};
    for (const auto& input : shown.inputs)
      if (const auto found = positions_.find(input); found != positions_.end())
        result.inputs.push_back(found->second);
    see(std::move(result));
  }

  void see(CandidateResult result) {
    const auto position = match.results.size();
    result.equals.clear();
    compare(result.sketch, position, result.equals);
    positions_.emplace(result.name, position);
    match.results.push_back(std::move(result));
  }

  bool has_seen(const std::string& name) const { return positions_.contains(name); }

  CandidateMatch match;

private:
  void compare(const Sketch& sketch, std::size_t position, std::vector<ResultId>& equals) {
    const auto [begin, end] = by_shape_.equal_range(sketch.shape);
    for (auto it = begin; it != end; ++it) {
      const auto id = it->second;
      const auto& reference = trace_.ops[id.op].outputs[id.index];
      if (reference.real_valued != sketch.real_valued) continue;
      auto& nearest = match.nearest[id.op][id.index];
      const double tolerance = tolerances_.ops[id.op];
      const double error = distance(reference, sketch, std::max(nearest.error, tolerance));
      if (error <= tolerance) equals.push_back(id);
      if (error < nearest.error) nearest = {error, position};
    }
  }

  const OpTrace& trace_;
  const Tolerances& tolerances_;
  std::multimap<std::vector<std::int64_t>, ResultId> by_shape_; ///< only those can be the same
  std::unordered_map<std::string, std::size_t> positions_;
};

} // namespace

Tolerances tolerances_for(const OpTrace& trace, const std::optional<RoundingNoise>& noise) {
  Tolerances tolerances;
  for (std::size_t i = 0; i < trace.ops.size(); ++i) {
    double most = 0;
    for (const auto& output : trace.ops[i].outputs)
      most = std::max(most, tolerance_of(output, noise ? noise->ops[i] : unknown_noise));
    tolerances.ops.push_back(most);
  }
  for (std::size_t i = 0; i < trace.outputs.size(); ++i)
    tolerances.outputs.push_back(
        tolerance_of(trace.outputs[i], noise ? noise->outputs[i] : unknown_noise));
  return tolerances;
}

double CandidateMatch::error_of(std::size_t op) const {
  double worst = 0;
  for (const auto& result : nearest[op]) worst = std::max(worst, result.error);
  return worst;
}

bool CandidateMatch::may_be_what_it_reads(const ResultId& result, const OpTrace& trace) const {
  const auto& read = trace.ops[result.op].producers;
  const auto has = [](const std::vector<ResultId>& all, const ResultId& one) {
    return std::ranges::find(all, one) != all.end();
  };
  return std::ranges::any_of(results, [&](const CandidateResult& candidate) {
    const bool is_read =
        candidate.name.empty() || // an input of the model
        std::ranges::any_of(read, [&](const ResultId& id) { return has(candidate.equals, id); });
    return is_read && has(candidate.equals, result);
  });
}

std::set<std::size_t> CandidateMatch::ops_unseen_before(std::vector<std::size_t> ops,
                                                        const OpTrace& trace,
                                                        std::size_t max_ops) const {
  std::set<std::size_t> found;
  while (!ops.empty() && found.size() < max_ops) {
    const std::size_t op = ops.back();
    ops.pop_back();
    for (const ResultId& producer : trace.ops[op].producers)
      if (may_be_what_it_reads(producer, trace) && found.insert(producer.op).second)
        ops.push_back(producer.op);
  }
  return found;
}

CandidateMatch match_candidate(const OpTrace& trace, const Tolerances& tolerances,
                               const ShowRun& run, const std::vector<at::Tensor>& inputs) {
  Matcher matcher(trace, tolerances);
  for (const auto& input : inputs) matcher.see(Intermediate{"", "input", {}, input});
  IntermediateRun what;
  what.visit = [&](const Intermediate& shown) { matcher.see(shown); };
  const auto outputs = shown_outputs(run, what, "candidate");
  matcher.ignore_unused();
  matcher.match.outputs = match_outputs(trace, tolerances, outputs);
  matcher.match.output_count = outputs.size();
  return std::move(matcher.match);
}

CandidateMatch match_replaced(const OpTrace& trace, const Tolerances& tolerances,
                              const ShowRun& run, const CandidateMatch& before,
                              const Replacements& replaced,
                              const std::optional<std::vector<Nearest>>& outputs) {
  Matcher matcher(trace, tolerances);
  for (const auto& result : before.results) {
    if (replaced.contains(result.name)) break;
    matcher.see(result);
  }
  IntermediateRun what;
  what.replaced = replaced;
  what.wanted = [&](const std::string& name) { return !matcher.has_seen(name); };
  what.visit = [&](const Intermediate& shown) { matcher.see(shown); };
  what.needs_outputs = !outputs;
  const auto shown = shown_outputs(run, what, "candidate");
  matcher.ignore_unused();
  matcher.match.outputs = outputs ? *outputs : match_outputs(trace, tolerances, shown);
  matcher.match.output_count = before.output_count;
  return std::move(matcher.match);
}

std::vector<Nearest> match_outputs(const OpTrace& trace, const Tolerances& tolerances,
                                   const std::vector<at::Tensor>& outputs) {
  std::vector<Sketch> sketches;
  for (const auto& output : outputs) sketches.push_back(sketch_of(output));
  std::vector<Nearest> nearest(trace.outputs.size());
  for (std::size_t i = 0; i < trace.outputs.size(); ++i) {
    for (std::size_t j = 0; j < sketches.size(); ++j)
      if (const double error = distance(trace.outputs[i], sketches[j]); error < nearest[i].error)
        nearest[i] = {error, j};
    if (i >= sketches.size()) continue;
    const double error = distance(trace.outputs[i], sketches[i]);
    if (error <= std::max(tolerances.outputs[i], nearest[i].error)) nearest[i] = {error, i};
  }
  return nearest;
}

} // namespace model_validator::verify
