#include "report/finding_table.h"

#include <algorithm>

namespace model_validator {
namespace {

// More would not be read in a picture.
constexpr std::size_t max_messages = 20;

FindingTable::Entries look_up(const std::unordered_map<std::string, FindingTable::Entry>& table,
                              const std::string& key) {
  const auto found = table.find(key);
  return found == table.end() ? FindingTable::Entries{} : FindingTable::Entries{&found->second};
}

} // namespace

FindingTable::FindingTable(const std::vector<Diagnostic>& findings) : findings_(findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Diagnostic& finding = findings[i];
    if (finding.suppressed) continue;
    ++rules_[finding.rule];
    if (finding.op) add(by_op_[finding.op->name], i);
    // A functional op is reported with the module whose code it is; that module is not what is
    // meant.
    const bool about_module = !finding.op || finding.module != finding.parent;
    if (about_module && !finding.module.empty()) add(by_module_[finding.module], i);
  }
}

void FindingTable::add(Entry& entry, std::size_t number) const {
  entry.numbers.push_back(number);
  entry.max_severity = std::max(entry.max_severity, findings_[number].severity);
}

FindingTable::Entries FindingTable::of(const ConnectedGraph& graph, const Op& op) const {
  Entries entries = look_up(by_op_, op.name);
  if (op.module != none) entries.merge(of_module(graph.module_path(op.module)));
  return entries;
}

FindingTable::Entries FindingTable::of_module(const std::string& path) const {
  return look_up(by_module_, path);
}

Severity FindingTable::max_severity(const Entries& entries) {
  Severity worst = Severity::off;
  for (const Entry* entry : entries) worst = std::max(worst, entry->max_severity);
  return worst;
}

std::size_t FindingTable::count(const Entries& entries) {
  std::set<std::size_t> numbers;
  for (const Entry* entry : entries) numbers.insert(entry->numbers.begin(), entry->numbers.end());
  return numbers.size();
}

std::string FindingTable::messages(const Entries& entries) const {
  std::set<std::size_t> numbers;
  for (const Entry* entry : entries) {
    const auto shown = std::min(entry->numbers.size(), max_messages + 1);
    numbers.insert(entry->numbers.begin(),
                   entry->numbers.begin() + static_cast<std::ptrdiff_t>(shown));
  }
  std::string text;
  std::size_t shown = 0;
  for (const std::size_t number : numbers) {
    if (shown++ == max_messages) return text + "\n… and more";
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
