#pragma once

#include <model_validator/verify/checkers.h>
#include <model_validator/verify/value.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Shape and dtype of one side of an output.
struct SideInfo {
  std::string kind;  ///< `tensor`, `str`, …
  std::string dtype; ///< empty unless it is a tensor
  Shape shape;
};

/// One output of one sample.
struct OutputReport {
  std::string name;
  std::size_t sample = 0;
  std::size_t step = 1;              ///< which call of the sample, from 1
  std::optional<SideInfo> reference; ///< none: only the candidate has it
  std::optional<SideInfo> candidate; ///< none: only the reference has it
  std::optional<Metrics> metrics;    ///< none if the values could not be compared
  std::int64_t mismatched = 0;       ///< elements beyond what is allowed, NaN and Inf included
  std::optional<double> allowed;     ///< greatest |d| allowed, if the output has one bound
  std::string mismatch_rule;         ///< what is allowed: `|d| ≤ 1e-08 + 1e-05 · |candidate|`
  std::vector<Verdict> verdicts;
  std::vector<std::string> notes;
  /// How far the reference's own rounding moves the output, if that was measured.
  std::optional<double> noise;
  std::optional<double> least_rtol; ///< with which it would pass, if that is what decides

  bool passed() const;
};

/// What may be wrong besides the values of an output.
enum class IncidentKind {
  crash,
  timeout,
  number_of_outputs,
  values, ///< of a sample, or of a further run
  inputs_changed,
  not_deterministic, ///< a second run gave different results
  state_lost,        ///< by the candidate
  state_kept,        ///< by the candidate alone
  nan_weights,       ///< of the candidate alone
  not_covered,       ///< a branch of the reference was never run, where that was asked for
};

/// `number-of-outputs`, as in JSON and messages.
const char* to_string(IncidentKind kind);

/// Something wrong besides the values of an output.
struct Incident {
  IncidentKind kind = IncidentKind::crash;
  std::string message;
  std::string hint;
  bool failure = true; ///< otherwise it is only reported
};

/// What an op of the reference gives whatever the inputs are.
struct ConstantResult {
  std::string op;
  std::vector<std::int64_t> shape;
  std::vector<float> values; ///< all of them
};

/// How one op's result compares, for localisation.
struct OpComparison {
  std::string op;     ///< `conv2d_3`
  std::string type;   ///< `conv2d`
  std::string module; ///< `layer1.0.conv1`
  std::string source; ///< `resnet.py:93:14`
  double error = 0;   ///< max|difference| / max|reference|
  double tolerance = 0;
  /// The same with the op fed the reference's inputs: what the op itself adds. None where an error
  /// was not traced to it.
  std::optional<double> introduced;
  bool first_divergent = false;
  std::string candidate;   ///< what the candidate computes in its place, if that was searched for
  std::string result = {}; ///< what the reference's file calls what it yields; empty: like the op
  double greatest = 0; ///< magnitude of the reference's values, of the layers of a quantised copy
  std::string graph_op = {}; ///< the op of the reference's graph that it belongs to, if one does
  /// How the files differ there, in words: `` `pads` is (1, 1) against (2, 0) ``; empty: not known.
  std::string cause = {};
  /// Of the first that differs: what both sides compute between values that agree and the result,
  /// as runs call it.
  std::vector<std::string> region = {}, candidate_region = {};
  std::vector<ConstantResult> constants = {}; ///< that the ops of the region read
  /// Of the layers of a quantised candidate: signal to quantisation noise in dB, of the result and
  /// of what the layer itself adds.
  std::optional<double> sqnr = {}, introduced_sqnr = {};
};

/// The tightest tolerances that an output passes.
struct ToleranceAdvice {
  std::string output;
  std::string flags;   ///< `--rtol 3.1e-06`; empty where noise does not explain the difference
  std::string message; ///< by what margin, and how that compares with the noise
};

/// How much of what the reference can do its samples made it do.
struct Coverage {
  std::size_t branches = 0; ///< arms of conditions that depend on inputs
  std::size_t branches_run = 0;
  std::size_t bounds = 0; ///< sides of what values are held to
  std::size_t bounds_met = 0;
  std::vector<std::string> missed = {}; ///< in words, branches first
};

/// Everything a verification reports.
struct VerifyReport {
  std::string reference; ///< file or name of the framework model
  std::string candidate; ///< file, backend or command
  std::string backend;
  std::string reference_backend; ///< what ran the reference: `eager`, `stored results`
  std::string checker;
  /// What this machine's kernels lose of a candidate in few bits, which its file does not; empty
  /// where they lose nothing.
  std::string machine;
  std::string precision; ///< of the candidate, where results are held to that: `float16`
  std::size_t samples = 1;
  std::vector<std::string> sample_names = {}; ///< what each shows; empty for values at random
  std::size_t steps = 1;                      ///< calls of each sample
  std::vector<Incident> incidents;
  std::vector<OutputReport> outputs;
  std::vector<OpComparison> ops;
  std::vector<ToleranceAdvice> advice;
  std::optional<Coverage> coverage = {}; ///< none where it was not recorded
  std::vector<std::string> notes;

  bool passed() const;
  /// The first failing message in the order in which TT-Forge checks; empty where all passed.
  std::string first_failure() const;
};

} // namespace model_validator::verify
