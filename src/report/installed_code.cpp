#include "report/installed_code.h"

#include "connected_graph/code_owners.h"
#include "report/names.h"
#include "text/lists.h"
#include "text/places.h"
#include "text/plural.h"

#include <algorithm>

namespace model_validator {
namespace {

constexpr std::size_t named = 5;

/// What a target refuses, and why, is its message; what other rules say differs in names alone.
bool is_about_target(const Diagnostic& finding) { return finding.code.starts_with("TGT"); }

/// What is wrong with what the exporter wrote is its message, whoever wrote the code.
bool is_about_file(const Diagnostic& finding) { return finding.code.starts_with("SER"); }

/// What is wrong is the mode in which the user exported these modules, not their code.
bool is_about_mode(const Diagnostic& finding) { return finding.rule == "training-mode"; }

std::string key_of(const Diagnostic& finding, const std::string& package) {
  std::string key = finding.rule + '\n' + package + '\n' + to_string(finding.severity) +
                    (finding.excused ? "\nexcused" : "");
  if (is_about_target(finding)) key += '\n' + finding.message;
  return key;
}

std::size_t shown_of(std::size_t names) { return names > named + 1 ? named : names; }

std::string most_of(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::string> names;
  for (const auto& [name, count] : most_frequent_first(counts)) names.push_back("`" + name + "`");
  return first_in_words(names, shown_of(names.size()));
}

/// `` `dropout` (11), `identity` (1) and 8 others ``: the numbers add up to the total.
std::string counted_types(const std::map<std::string, std::size_t>& counts, std::size_t total) {
  const auto sorted = most_frequent_first(counts);
  std::vector<std::string> parts;
  for (const auto& [name, count] : sorted) {
    if (parts.size() == shown_of(sorted.size())) break;
    parts.push_back("`" + name + "` (" + std::to_string(count) + ")");
    total -= std::min(total, count);
  }
  return joined(parts, ", ") + (total > 0 ? " and " + plural(total, "other") : "");
}

/// `timm/layers/norm.py:12`, whatever machine the file is on; empty where no line is known.
std::string place_in_package(const Diagnostic& finding, const std::string& package) {
  const DiagnosticLocation* location = first_location(finding);
  if (location == nullptr) return {};
  std::string file = location->source.file;
  std::ranges::replace(file, '\\', '/');
  const std::size_t folder = file.rfind("/" + package + "/");
  file.erase(0, (folder == std::string::npos ? file.rfind('/') : folder) + 1);
  return file + ":" + std::to_string(location->source.line);
}

} // namespace

void InstalledFindings::add(const Diagnostic& finding, const std::string& model) {
  ++count;
  if (models.empty() || models.back() != model) models.push_back(model);
  if (finding.op) ++types[finding.op->type];
  if (const std::string name = class_of(finding); !name.empty()) ++classes[short_class(name)];
  if (is_about_mode(finding) && !finding.module.empty()) ++modules[finding.module];
  if (std::string place = place_in_package(finding, package); !place.empty())
    places.insert(std::move(place));
  one_help = one_help && finding.help == first.help;
}

std::string InstalledFindings::headline() const {
  const std::string place = " in the installed package `" + package + "`";
  if (count == 1) return first.message + "," + place;
  if (is_about_target(first)) return first.message + "; " + plural(count, "time") + place;
  if (is_about_file(first))
    return first.message + "; " + std::to_string(count - 1) + " more like it" + place;
  return plural(count, "finding") + place;
}

std::string InstalledFindings::what() const {
  if (!modules.empty()) return (modules.size() == 1 ? "module " : "modules ") + most_of(modules);
  if (!places.empty() && (is_about_target(first) || count == 1))
    return "at " + *places.begin() +
           (places.size() > 1 ? " and " + std::to_string(places.size() - 1) + " more" : "");
  const std::string calls =
      types.empty() ? std::string() : "calls of " + counted_types(types, count);
  if (classes.empty()) return calls;
  return calls + (calls.empty() ? "in " : ", in ") + most_of(classes);
}

std::string InstalledFindings::help() const {
  const bool edits_code = first.fix && first.fix->rewrite;
  if (one_help && !edits_code) return first.help;
  return "to change such a class, copy or subclass it in your own code; `-v` shows each finding";
}

std::string InstalledFindings::line() const {
  const std::string about = what();
  return headline() + (about.empty() ? "" : ": " + about);
}

std::string models_of(const InstalledFindings& findings, std::size_t most) {
  return first_in_words(findings.models, most);
}

void InstalledCode::add(const std::vector<Diagnostic>& findings, const std::string& model) {
  const CodeOwners owners(findings);
  for (const Diagnostic& finding : findings) {
    const std::string package = owners.package_of(finding);
    if (package.empty() || finding.suppressed) continue;
    const auto [known, added] = known_.try_emplace(key_of(finding, package), all_.size());
    if (added) all_.push_back({finding, package, {}, 0, {}, {}, {}, {}, true, finding.excused});
    all_[known->second].add(finding, model);
  }
}

} // namespace model_validator
