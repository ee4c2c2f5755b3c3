#include "report/cause.h"

#include "connected_graph/code_owners.h"
#include "text/lists.h"
#include "text/plural.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>

namespace model_validator {
namespace {

using Key = std::tuple<std::string, Severity, std::string, std::string, int, int, std::string>;

Key key_of(const Diagnostic& finding) {
  const bool located = !finding.locations.empty() && finding.locations.front().source.known();
  const SourceLocation place = located ? finding.locations.front().source : SourceLocation{};
  // Of what has neither a line nor a module, only the same message is surely the same cause.
  const bool placed = located || (finding.op && !finding.module.empty());
  const std::string words = placed ? std::string() : finding.message;
  return {finding.rule + (finding.suppressed ? " suppressed by " + finding.suppressed->by +
                                                   finding.suppressed->reason
                                             : ""),
          finding.severity,
          finding.op ? finding.op->type : "",
          place.file,
          place.line,
          place.column,
          words};
}

/// The name of a finding among others of its cause.
std::string name_of(const Diagnostic& finding) {
  if (!finding.module.empty()) return finding.module;
  if (finding.op) return finding.op->name;
  return finding.parent;
}

std::string noun_for(const Cause& cause) {
  const bool modules =
      std::ranges::all_of(cause.all, [](const Diagnostic* d) { return !d->module.empty(); });
  return modules ? "module" : "place";
}

/// What else is said of the very thing that the first finding is about: for another target, say.
std::string also_said(const Cause& cause) {
  std::string text;
  std::unordered_set<std::string> seen = {cause.first->message};
  for (const Diagnostic* finding : cause.all)
    if (name_of(*finding) == name_of(*cause.first) && seen.insert(finding->message).second)
      text += (text.empty() ? "also: " : "; ") + finding->message;
  return text;
}

} // namespace

std::vector<Cause> causes_of(const std::vector<Diagnostic>& findings, Shown shown) {
  std::vector<Cause> causes;
  std::map<Key, std::size_t> known;
  const CodeOwners owners(findings);
  for (const Diagnostic& finding : findings) {
    if (finding.suppressed && !shown.suppressed) continue;
    if (!finding.suppressed && !shown.installed && !owners.package_of(finding).empty()) continue;
    const auto [place, added] = known.try_emplace(key_of(finding), causes.size());
    if (added) causes.push_back({&finding, {}});
    causes[place->second].all.push_back(&finding);
  }
  return causes;
}

std::string others_note(const Cause& cause, std::size_t most) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen = {std::string(), name_of(*cause.first)};
  for (const Diagnostic* finding : cause.all)
    if (std::string name = name_of(*finding); seen.insert(name).second)
      names.push_back('`' + name + '`');
  const std::size_t others = cause.all.size() - 1;
  if (others == 0) return {};
  const std::string also = also_said(cause);
  if (names.empty()) return also.empty() ? "the same " + plural(others, "more time") : also;
  // One name more is shorter than saying that there is one more.
  const std::size_t shown = most == 0 || names.size() <= most + 1 ? names.size() : most;
  return "the same in " + plural(names.size(), "other " + noun_for(cause)) + ": " +
         first_in_words(names, shown) + (also.empty() ? "" : "; " + also);
}

} // namespace model_validator
