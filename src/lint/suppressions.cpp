#include "lint/suppressions.h"

#include "connected_graph/canonical_type.h"
#include "lint/finish_report.h"
#include "lint/selection.h"
#include "lint/tool_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <fnmatch.h>
#include <set>

namespace model_validator {
namespace {

/// A file may hold any number of comments that hide nothing; so many are told of.
constexpr std::size_t max_unused = 10'000;
/// Some ten seconds. A thousand findings in modules of 50 characters take 200 patterns with a star
/// 20 million.
constexpr std::uint64_t max_compared = 1'000'000'000;

bool selects(const std::string& selector, const Diagnostic& finding) {
  RuleInfo rule;
  rule.name = finding.rule;
  rule.code = finding.code;
  return model_validator::selects(selector, rule);
}

/// A rule that does not run cannot show whether its suppression is needed.
bool is_judged(const std::string& selector, const Settings& settings) {
  return std::ranges::any_of(settings.enabled, [&](const Validator* check) {
    return model_validator::selects(selector, check->info());
  });
}

bool fits(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// What it takes to look a pattern up in names, in characters compared: each star looks on from
/// where it begins.
std::uint64_t cost_of(const std::string& pattern, const Diagnostic& finding) {
  const auto stars = static_cast<std::uint64_t>(std::ranges::count(pattern, '*'));
  std::uint64_t length = finding.module.size();
  for (const std::string& alias : finding.aliases) length += alias.size();
  return pattern.empty() ? 0 : length * (stars + 1);
}

bool concerns(const SuppressionEntry& entry, const std::string& model) {
  if (entry.model.empty()) return true;
  return pattern_fits(entry.model, model, std::filesystem::path(entry.where.file).parent_path());
}

/// @param named  a type, or an operator as findings spell it: `onnx::AffineGrid`, `AffineGrid`
bool is_of_type(const OpReference& op, const std::string& named) {
  if (op.type == named) return true;
  const bool of_onnx = std::isupper(static_cast<unsigned char>(named.front())) != 0;
  const bool has_domain = named.find("::") != std::string::npos;
  return canonical_type((has_domain ? "" : of_onnx ? "onnx::" : "aten::") + named, {}) == op.type;
}

bool hides(const SuppressionEntry& entry, const Diagnostic& finding) {
  if (!entry.op.empty() && !(finding.op && is_of_type(*finding.op, entry.op))) return false;
  const bool is_there = entry.module.empty() || fits(entry.module, finding.module) ||
                        std::ranges::any_of(finding.aliases, [&](const std::string& alias) {
                          return fits(entry.module, alias);
                        });
  return is_there && selects(entry.rule, finding);
}

/// A line of a file.
using Line = std::pair<std::string, int>;
Line line_of(const SourceLocation& source) { return {source.file, source.line}; }

/// Those in Python files that are available although the model does not carry their text.
void add_ignores_at(const Diagnostic& finding, std::set<Line>& known,
                    std::vector<InlineIgnore>& ignores) {
  for (const DiagnosticLocation& location : finding.locations) {
    auto ignore = parse_ignore(location.code);
    if (!ignore || !known.insert(line_of(location.source)).second) continue;
    ignore->where = location.source;
    ignores.push_back(std::move(*ignore));
  }
}

/// The findings that stand on each line, by their index.
std::map<Line, std::vector<std::size_t>> findings_by_line(const ModelReport& report) {
  std::map<Line, std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < report.findings.size(); ++i)
    for (const DiagnosticLocation& location : report.findings[i].locations) {
      auto& there = found[line_of(location.source)];
      if (there.empty() || there.back() != i) there.push_back(i);
    }
  return found;
}

Diagnostic unused(const Settings& settings, const std::string& message, const SourceLocation& where,
                  std::string help = "remove it, or bring it up to date") {
  Diagnostic finding = Diagnostics(unused_suppression_rule).start(message);
  finding.severity = settings.severity_of(finding.rule, finding.severity);
  finding.method = message;
  finding.locations.push_back({where, "", "suppression", ""});
  finding.help = std::move(help);
  finding.fingerprint = fingerprint_of(finding);
  return finding;
}

std::string comment_of(const std::string& selector) { return "`mv: ignore[" + selector + "]`"; }

/// A comment that names a rule which there is not.
Diagnostic misspelt(const Settings& settings, const std::string& selector,
                    const SourceLocation& where) {
  const std::string near = nearest_rule(selector, *settings.registry);
  return unused(settings, comment_of(selector) + " hides nothing: there is no such rule", where,
                near.empty() ? "`model_validator rule --all` lists the rules"
                             : "did you mean `" + near + "`?");
}

bool is_misspelt(const std::string& selector, const Settings& settings) {
  return settings.registry != nullptr && !is_known(selector, *settings.registry);
}

std::string sentence_on(const Diagnostic& finding) {
  const SourceLocation& place = finding.locations.front().source;
  return place.file + ":" + std::to_string(place.line) + ": " + finding.message + "; " +
         finding.help;
}

/// What is wrong with one selector of a comment, as far as that can be known before all models have
/// been looked at.
std::optional<Diagnostic> fault_of(const InlineIgnore& ignore, const std::string& selector,
                                   const Settings& settings) {
  if (is_misspelt(selector, settings)) return misspelt(settings, selector, ignore.where);
  if (!is_judged(selector, settings)) return std::nullopt;
  return unused(settings, comment_of(selector) + " hides nothing", ignore.where);
}

/// Those that hide something; none of a comment that is not understood.
std::set<std::string> selectors_of(const InlineIgnore& ignore) {
  if (!ignore.mistake.empty()) return {};
  return {ignore.rules.begin(), ignore.rules.end()};
}

std::size_t hide_inline(const InlineIgnore& ignore, const std::string& selector,
                        const std::vector<std::size_t>& there, ModelReport& report) {
  std::size_t hidden = 0;
  for (const std::size_t i : there)
    if (Diagnostic& finding = report.findings[i];
        !finding.suppressed && selects(selector, finding)) {
      finding.suppressed = Suppression{"inline", ignore.reason};
      ++hidden;
    }
  return hidden;
}

std::string name_of(const SuppressionEntry& entry) {
  return "the suppression of `" + entry.rule + "`" +
         (entry.module.empty() ? "" : " in `" + entry.module + "`");
}

} // namespace

void Suppressions::apply_inline(const Settings& settings, std::vector<InlineIgnore> ignores,
                                ModelReport& report) {
  std::set<Line> known;
  for (const InlineIgnore& ignore : ignores) known.insert(line_of(ignore.where));
  for (const Diagnostic& finding : report.findings) add_ignores_at(finding, known, ignores);
  const auto findings = findings_by_line(report);
  for (const InlineIgnore& ignore : ignores) {
    if (!ignore.mistake.empty())
      note(ignore, ignore.mistake, settings,
           unused(settings, ignore.mistake, ignore.where, ignore.remedy));
    const auto place = findings.find(line_of(ignore.where));
    const auto there = place == findings.end() ? std::vector<std::size_t>{} : place->second;
    for (const std::string& selector : selectors_of(ignore)) {
      const bool hides = hide_inline(ignore, selector, there, report) > 0;
      note(ignore, selector, settings, hides ? std::nullopt : fault_of(ignore, selector, settings),
           hides);
    }
  }
}

void Suppressions::note(const InlineIgnore& ignore, const std::string& what,
                        const Settings& settings, std::optional<Diagnostic> fault, bool used) {
  InlineUse& use = inline_uses_[{ignore.where.file, ignore.where.line, what}];
  use.used = use.used || used;
  if (!fault || use.used || use.unused || unused_inline_ >= max_unused) return;
  const bool reports = settings.tool_rules.count(unused_suppression_rule.name) > 0;
  const bool certain = !ignore.mistake.empty() || is_misspelt(what, settings);
  if (!reports && !certain) return;
  ++unused_inline_;
  if (!reports && use.told.empty()) untold_.push_back(use.told = sentence_on(*fault));
  if (reports) use.unused = std::move(fault);
}

void Suppressions::judge_inline(ModelReport& report) {
  for (const auto& [place, use] : inline_uses_)
    if (!use.used && use.unused) report.findings.push_back(*use.unused);
  inline_uses_.clear();
  unused_inline_ = 0;
}

void Suppressions::expect(const std::string& model, const Settings& settings) {
  ++models_to_come_;
  for (const auto& entry : settings.suppressions)
    if (concerns(*entry, model)) ++uses_[entry.get()].models_to_come;
}

void Suppressions::apply(const Settings& settings, const std::vector<InlineIgnore>& ignores,
                         ModelReport& report) {
  for (const auto& entry : settings.suppressions)
    if (concerns(*entry, report.path)) apply_entry(*entry, settings, report);
  apply_inline(settings, ignores, report);
  if (models_to_come_ > 0) --models_to_come_;
  if (models_to_come_ == 0) judge_inline(report);
  finish(report);
}

bool Suppressions::expired(const SuppressionEntry& entry) const {
  return !entry.expires.empty() && entry.expires < today_;
}

void Suppressions::apply_entry(const SuppressionEntry& entry, const Settings& settings,
                               ModelReport& report) {
  Use& use = uses_[&entry];
  for (const Diagnostic& finding : report.findings) compared_ += cost_of(entry.module, finding);
  if (compared_ > max_compared)
    throw Error(ErrorKind::too_large, entry.where.file,
                "its suppressions have too many patterns for names as long as those of " +
                    report.path,
                "name modules without `*`, or suppress a rule once for many of them");
  for (Diagnostic& finding : report.findings)
    if (!expired(entry) && !finding.suppressed && hides(entry, finding)) {
      finding.suppressed = Suppression{"config", entry.reason};
      ++use.hidden;
    }
  if (use.models_to_come > 0 && --use.models_to_come == 0) judge(entry, settings, report);
}

void Suppressions::judge(const SuppressionEntry& entry, const Settings& settings,
                         ModelReport& report) {
  if (settings.tool_rules.count(unused_suppression_rule.name) == 0) return;
  if (expired(entry))
    report.findings.push_back(
        unused(settings, name_of(entry) + " expired on " + entry.expires, entry.where));
  else if (uses_[&entry].hidden == 0 && is_judged(entry.rule, settings))
    report.findings.push_back(unused(settings, name_of(entry) + " hides nothing", entry.where));
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &local);
  return text.data();
}

} // namespace model_validator
