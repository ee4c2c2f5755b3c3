#pragma once

#include "verify/localize/reference_run.h"

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace model_validator::verify {

/// How much a result may differ and still count as the reference's, for each op and each output of
/// the model.
struct Tolerances {
  std::vector<double> ops;
  std::vector<double> outputs;
};

/// From the noise, where it is known: correct compilers stay below a small multiple of it.
Tolerances tolerances_for(const OpTrace& trace, const std::optional<RoundingNoise>& noise);

/// A tensor that the candidate computed. Its values are not kept.
struct CandidateResult {
  std::string name;
  std::string op;
  std::vector<std::size_t> inputs; ///< positions of results computed before
  std::vector<std::int64_t> shape;
  c10::ScalarType dtype;
  Sketch sketch;
  std::vector<ResultId> equals; ///< results of the reference that it agrees with
};

/// The candidate's result that is nearest to one of the reference.
struct Nearest {
  double error = nothing_alike; ///< largest difference, as part of the largest value
  std::size_t candidate = 0;    ///< where the error is finite
};

/// A run of the candidate, recognised by its values: names, order and grouping of operators are up
/// to the compiler.
struct CandidateMatch {
  std::vector<CandidateResult> results;
  std::vector<std::vector<Nearest>> nearest; ///< for each op of the reference and each result
  std::vector<Nearest> outputs;              ///< for each output of the reference
  std::size_t output_count = 0;              ///< of the candidate

  /// Worst over an op's results.
  double error_of(std::size_t op) const;
  /// Whether what there is for a result of the reference equals something that its op reads as
  /// well, as where that adds 1e-6: then it may be absent, or another.
  bool may_be_what_it_reads(const ResultId& result, const OpTrace& trace) const;
  /// Ops before these that hardly change what they read, one behind the other.
  std::set<std::size_t>
  ops_unseen_before(std::vector<std::size_t> ops, const OpTrace& trace,
                    std::size_t max_ops = std::numeric_limits<std::size_t>::max()) const;
};

using Replacements = std::map<std::string, at::Tensor>;

/// Each tensor is compared while it exists, and released. The model's inputs count as results too,
/// for ops that only pass them on.
/// @throws Error (`cannot-localize`)
CandidateMatch match_candidate(const OpTrace& trace, const Tolerances& tolerances,
                               const ShowRun& run, const std::vector<at::Tensor>& inputs);

/// The candidate with some results replaced. What it computes before the first of them is what it
/// was without, and is not computed again.
/// @param outputs  of such a run, where they are known
/// @throws Error (`cannot-localize`)
CandidateMatch match_replaced(const OpTrace& trace, const Tolerances& tolerances,
                              const ShowRun& run, const CandidateMatch& before,
                              const Replacements& replaced,
                              const std::optional<std::vector<Nearest>>& outputs = {});

/// For each output of the reference, the candidate's output at the same place where that agrees,
/// else the nearest of all.
std::vector<Nearest> match_outputs(const OpTrace& trace, const Tolerances& tolerances,
                                   const std::vector<at::Tensor>& outputs);

} // namespace model_validator::verify
