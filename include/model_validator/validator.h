#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/diagnostic.h>
#include <model_validator/weights.h>

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

struct TargetProfile;
struct ModuleTables;

/// What a check reads of the configuration.
struct RuleOption {
  enum class Type : std::uint8_t { flag, whole_number, texts };
  std::string_view name;
  Type type;
};

/// What a check needs a file to tell of the model besides its operators. Where the file does not
/// and the check finds nothing, it has not judged the model.
enum class Need : std::uint8_t {
  nothing,
  modules,     ///< which modules the operators ran in
  all_modules, ///< those as well that ran no operator
  branches,    ///< what Python decided by the values of tensors
  weights,     ///< the numbers of the weights
};

/// What a check declares about itself. Views of literals.
struct RuleInfo {
  std::string_view name;    ///< kebab-case, primary: `reused-modules`
  std::string_view code;    ///< stable alias: `GRA001`
  std::string_view summary; ///< one sentence
  Severity severity = Severity::warning;
  bool on_by_default = true;
  std::span<const RuleOption> options = {};
  Need needs = Need::nothing;
  /// What it finds is about the code at the place that it names, and is mended there. Otherwise
  /// about the file, the target or how the model was exported, whoever wrote the code.
  bool about_code = true;
  /// What it finds may keep targets from taking the file (`Diagnostic::refused_by`): where a target
  /// is judged, it is asked, whether or not it is reported.
  bool decides_verdicts = false;
};

/// One option of one rule, as the configuration gives it.
using RuleOptions = std::map<std::string, AttributeValue, std::less<>>;

/// A place where Python decided by the values of a tensor, seen while the model was traced.
struct TracedDecision {
  SourceLocation source;
  bool branch = false; ///< made a boolean of them; otherwise a number
};

/// What a check may use besides the graph.
struct Context {
  const ModuleTables* tables = nullptr;      ///< op type map and functional ops; never null
  std::vector<const TargetProfile*> targets; ///< chosen by --target and --profile
  std::map<std::string, RuleOptions, std::less<>> options; ///< by rule name
  WeightScanner scan_weights;   ///< empty if the graph did not come from a file
  WeightMeter measure_weights;  ///< the same
  WeightSampler sample_weights; ///< the same
  LedgerKeeper ledger;          ///< the same
  /// All of them, where the trace was made for these checks; null where nobody watched.
  const std::vector<TracedDecision>* decisions = nullptr;

  /// The options of one rule; empty where there are none.
  const RuleOptions& options_of(std::string_view rule) const;
};

/// Collects what one check finds.
class Diagnostics {
public:
  explicit Diagnostics(const RuleInfo& rule) : rule_(rule) {}

  /// A diagnostic with rule, code and the rule's own severity filled in.
  Diagnostic start(std::string message) const;
  void add(Diagnostic diagnostic);
  /// With a help for people.
  void add(Diagnostic diagnostic, std::string help);
  /// The help is offered as an unsafe fix as well: a change that may alter results.
  void add_with_change(Diagnostic diagnostic, std::string help);
  /// A sentence for the log, printed once after the check if it found something.
  void summarise(std::string text) { summaries_.push_back(std::move(text)); }

  const std::deque<Diagnostic>& findings() const noexcept { return findings_; }
  std::deque<Diagnostic>& findings() noexcept { return findings_; }
  const std::vector<std::string>& summaries() const noexcept { return summaries_; }

private:
  RuleInfo rule_;
  std::deque<Diagnostic> findings_; ///< large, perhaps a million: growth never moves them
  std::vector<std::string> summaries_;
};

/// A check. Stateless: `run` may be called from several threads at once.
class Validator {
public:
  virtual ~Validator() = default;
  virtual const RuleInfo& info() const = 0;
  /// Looks at the graph and reports. Faults of the model are reported, never thrown.
  virtual void run(const ConnectedGraph& graph, const Context& context,
                   Diagnostics& diagnostics) const = 0;
};

} // namespace model_validator
