#include "rules/judging/contradiction.h"

#include "rules/judging/judge_file.h"
#include "rules/judging/judge_forms.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>
#include <model_validator/diagnostic.h>

#include <optional>

namespace model_validator::rules {
namespace {

/// Of others, a target's own table of operators says whether it takes them.
constexpr auto minded_everywhere =
    word_array<"attribute-dtype attribute-missing attribute-word dtypes dtypes-wide input-missing "
               "operator output-missing split-contradicted value-kind">;

/// Whether a kind is taken, where it was asked.
std::optional<bool> answer_about(const FileRules& rules, const std::string& kind) {
  const auto answer = rules.forms.find(kind);
  return answer == rules.forms.end() ? std::nullopt : std::optional(is_taken(answer->second));
}

/// A runtime that makes no kernel of a node minds nothing that only the kernel checks.
bool never_looks(const FileRules& rules, const Contradiction& contradiction) {
  return !contradiction.runs &&
         passes_over(rules, contradiction.kind + ": " + contradiction.which + " not-run");
}

bool takes(const FileRules& rules, const Contradiction& contradiction) {
  if (passes_over(rules, contradiction.where) || never_looks(rules, contradiction)) return true;
  if (contradiction.where == may_not_run && !rules.forms.contains(may_not_run)) return true;
  for (const std::string& name : contradiction.names())
    if (const auto answer = answer_about(rules, name)) return *answer;
  return !is_minded_everywhere(contradiction.kind);
}

/// A runtime's own schemas say the rest.
bool is_left_to_schemas(const FileRules& rules, const Contradiction& contradiction) {
  return rules.versions.contains(contradiction.schema) && !is_minded_everywhere(contradiction.kind);
}

} // namespace

std::vector<std::string> Contradiction::names() const {
  const std::string own = schema + " " + kind, found = ": " + which;
  std::vector<std::string> names;
  if (!what.empty()) names.push_back(own + found + ": " + what);
  for (const std::string_view stated : {" stored", " alike"})
    if (what.ends_with(stated))
      names.push_back(names.back().substr(0, names.back().size() - stated.size()));
  if (!which.empty()) names.insert(names.end(), {own + found, kind + found});
  names.insert(names.end(), {own, kind});
  return names;
}

std::string kind_of_sizes(const std::vector<std::size_t>& inputs) {
  std::string kind = inputs.empty() ? "settings" : "sizes";
  for (const std::size_t input : inputs) kind += "-" + std::to_string(input);
  return kind;
}

bool is_minded_everywhere(std::string_view kind) {
  return kind.starts_with("sizes") || kind == "settings" || contains(minded_everywhere, kind);
}

std::vector<std::string> refusers_of(const Contradiction& contradiction,
                                     const std::vector<const TargetProfile*>& targets,
                                     const ConnectedGraph& graph) {
  std::vector<std::string> refusers;
  bool any = false;
  for (const TargetProfile* target : targets) {
    if (!judges_nodes(*target, graph)) continue;
    any = true;
    if (!is_left_to_schemas(target->file, contradiction) && !takes(target->file, contradiction))
      refusers.push_back(target->name);
  }
  if (any) return refusers;
  if (contradiction.where == may_not_run) return {};
  return {every_target};
}

} // namespace model_validator::rules
