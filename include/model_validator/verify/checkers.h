#pragma once

#include <model_validator/verify/metrics.h>
#include <model_validator/verify/tolerances.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What one check says about one output.
struct Verdict {
  std::string check; ///< `dtype`, `shape`, `values`, or a part: `pcc`, `allclose`, `non-finite`, …
  bool passed = true;
  std::string message; ///< what was compared with what
  std::string thrown;  ///< what the throwing form says, in TT-Forge's words; empty: `message`
};

/// One output on both sides, measured.
struct ComparedOutput {
  const std::string& name;
  const TensorView& reference;
  const TensorView& candidate;
  const Metrics& metrics;
};

/// Judges the values of an output.
class ValueChecker {
public:
  virtual ~ValueChecker() = default;

  /// Its name in `--checker` and in reports.
  virtual std::string name() const = 0;

  /// What must be counted in the pass for `check` to judge.
  virtual std::vector<Closeness> closeness(const std::string& output, DType dtype) const = 0;

  /// Every verdict of this checker, passed or not, in reading order.
  virtual std::vector<Verdict> check(const ComparedOutput& output,
                                     std::vector<std::string>& notes) const = 0;

  /// The share of itself that an element may differ by before elements are to be grouped by scale
  /// as well; none: they never are.
  virtual std::optional<double> scales_beyond(const std::string& /*output*/, DType) const {
    return std::nullopt;
  }

  /// The least `--rtol` with which the output would pass, if that is what decides.
  virtual std::optional<double> least_rtol(const ComparedOutput&) const { return std::nullopt; }

  /// The |difference| allowed, if it is the same for the whole output; elements beyond it count as
  /// mismatched. None: the first rule of `closeness` decides.
  virtual std::optional<double> absolute_bound(const ComparedOutput&) const { return std::nullopt; }

  /// The same checker with every output that it names called by its own name; null where it names
  /// none. @throws Error (`bad-tolerance`) where it names one that is not there
  virtual std::shared_ptr<const ValueChecker>
  for_outputs(const std::vector<OutputNames>& /*outputs*/) const {
    return nullptr;
  }
};

/// TT-Forge's default. Bool: Rogers-Tanimoto dissimilarity; one element, or a side without
/// variance: allclose; else PCC.
struct AutomaticOptions {
  double pcc = 0.99;
  double rtol = 1e-5;
  double atol = 1e-8;
  double dissimilarity_threshold = 1e-3;
  /// TT-Forge to the letter: a scaled, shifted or outlier-ridden result passes if its PCC does,
  /// and what the PCC cannot see is only noted.
  bool pcc_alone = false;
};
class AutomaticValueChecker final : public ValueChecker {
public:
  explicit AutomaticValueChecker(AutomaticOptions options = {}) : options_(options) {}
  std::string name() const override { return "auto"; }
  std::vector<Closeness> closeness(const std::string&, DType) const override;
  std::vector<Verdict> check(const ComparedOutput&, std::vector<std::string>&) const override;

private:
  AutomaticOptions options_;
};

/// `|reference − candidate| ≤ atol + rtol · |candidate|` for every element.
struct AllCloseOptions {
  double rtol = 1e-5;
  double atol = 1e-8;
  bool equal_nan = false; ///< NaN at the same place on both sides is equal
};
class AllCloseValueChecker final : public ValueChecker {
public:
  explicit AllCloseValueChecker(AllCloseOptions options = {}) : options_(options) {}
  std::string name() const override { return "allclose"; }
  std::vector<Closeness> closeness(const std::string&, DType) const override;
  std::vector<Verdict> check(const ComparedOutput&, std::vector<std::string>&) const override;

private:
  AllCloseOptions options_;
};

/// Automatic, and allclose; integers and booleans must be equal.
class FullValueChecker final : public ValueChecker {
public:
  explicit FullValueChecker(AutomaticOptions options = {}) : options_(options) {}
  std::string name() const override { return "full"; }
  std::vector<Closeness> closeness(const std::string&, DType) const override;
  std::vector<Verdict> check(const ComparedOutput&, std::vector<std::string>&) const override;

private:
  AutomaticOptions options_;
};

/// What arithmetic in an output's dtype cannot resolve, however small the output's own values.
struct NoiseFloor {
  double value = 0;   ///< |difference| that is noise, of the smallest values as well
  std::string origin; ///< `4 roundings of float32 beside values of about 1`
  /// What the network computes in, where that is less precise than the dtype of the output.
  std::optional<DType> computed_in;
};

/// The command line's default: `|difference| ≤ atol + tol · max|reference|` over the output, and
/// over each part of it that has a scale of its own, or no more than its noise; PCC where it
/// applies, equal NaN and Inf, integers and booleans exact.
struct DefaultOptions {
  OutputTolerances tol;  ///< `--rtol`, instead of the dtype's own
  OutputTolerances atol; ///< `--atol`, besides `tol`; none: 0
  OutputTolerances pcc;  ///< none: 0.99999, or what the dtype's precision allows
  std::map<std::string, NoiseFloor>
      floors;                 ///< by output; used if neither `tol` nor `atol` is given
  bool find_tightest = false; ///< `least_rtol` will be asked for
};
class DefaultValueChecker final : public ValueChecker {
public:
  explicit DefaultValueChecker(DefaultOptions options = {}) : options_(std::move(options)) {}
  std::string name() const override { return "default"; }
  std::vector<Closeness> closeness(const std::string&, DType) const override;
  std::vector<Verdict> check(const ComparedOutput&, std::vector<std::string>&) const override;
  std::optional<double> scales_beyond(const std::string&, DType) const override;
  std::optional<double> least_rtol(const ComparedOutput&) const override;
  std::optional<double> absolute_bound(const ComparedOutput&) const override;
  std::shared_ptr<const ValueChecker>
  for_outputs(const std::vector<OutputNames>& outputs) const override;

private:
  DefaultOptions options_;
};

/// For a copy in few bits: the signal-to-noise ratio of each output, no place along an axis of
/// which nothing is left beside larger ones, and for integers and booleans the share of elements
/// that agree.
struct QuantisedOptions {
  OutputTolerances sqnr; ///< in dB; none: `default_sqnr`
  double agreement = 0.9;
};
class QuantisedValueChecker final : public ValueChecker {
public:
  explicit QuantisedValueChecker(QuantisedOptions options = {}) : options_(std::move(options)) {}
  std::string name() const override { return "quantised"; }
  std::vector<Closeness> closeness(const std::string&, DType) const override;
  std::vector<Verdict> check(const ComparedOutput&, std::vector<std::string>&) const override;
  std::shared_ptr<const ValueChecker>
  for_outputs(const std::vector<OutputNames>& outputs) const override;

private:
  QuantisedOptions options_;
};

/// Every element has the same bits: −0 is not 0, and NaNs with different bits differ.
class ExactValueChecker final : public ValueChecker {
public:
  std::string name() const override { return "exact"; }
  std::vector<Closeness> closeness(const std::string&, DType) const override;
  std::vector<Verdict> check(const ComparedOutput&, std::vector<std::string>&) const override;
};

/// `tol` of the default checker for a dtype; 0 where values must be exact.
double default_tolerance(DType dtype);

/// The PCC that the default checker requires for a dtype.
double default_pcc(DType dtype);

/// What an output of a quantised copy keeps at least, in dB: a tenth of its size is error.
inline constexpr double default_sqnr = 20;

/// Signal to quantisation noise in dB; infinite where all is equal, none where there is no signal.
std::optional<double> sqnr_of(const Metrics& metrics);

} // namespace model_validator::verify
