#include "report/finding_table.h"

#include <algorithm>

namespace model_validator {
namespace {

FindingTable::Numbers look_up(const std::unordered_map<std::string, FindingTable::Numbers>& table,
                              const std::string& key) {
  const auto found = table.find(key);
  return found == table.end() ? FindingTable::Numbers{} : found->second;
}

} // namespace

FindingTable::FindingTable(const std::vector<Diagnostic>& findings) : findings_(findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Diagnostic& finding = findings[i];
    if (finding.suppressed) continue;
    ++rules_[finding.rule];
    if (finding.op) by_op_[finding.op->name].insert(i);
    // A functional op is told with the module whose code it is; that module is not what is meant.
    const bool about_module = !finding.op || finding.module != finding.parent;
    if (about_module && !finding.module.empty()) by_module_[finding.module].insert(i);
  }
}

FindingTable::Numbers FindingTable::of(const ConnectedGraph& graph, const Op& op) const {
  Numbers numbers = look_up(by_op_, op.name);
  if (op.module != none) numbers.merge(of_module(graph.module_path(op.module)));
  return numbers;
}

FindingTable::Numbers FindingTable::of_module(const std::string& path) const {
  return look_up(by_module_, path);
}

Severity FindingTable::gravest(const Numbers& numbers) const {
  Severity worst = Severity::off;
  for (const std::size_t number : numbers) worst = std::max(worst, findings_[number].severity);
  return worst;
}

std::string FindingTable::messages(const Numbers& numbers) const {
  std::string text;
  for (const std::size_t number : numbers) {
    const Diagnostic& finding = findings_[number];
    text += (text.empty() ? "" : "\n") + std::string(to_string(finding.severity)) + "[" +
            finding.code + "] " + finding.message;
  }
  return text;
}

std::string FindingTable::summary() const {
  std::string text;
  for (const auto& [rule, count] : rules_)
    text += (text.empty() ? "" : ", ") + rule + " " + std::to_string(count);
  return text;
}

} // namespace model_validator
