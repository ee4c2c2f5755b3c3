#include "cli/rule_pages.h"

#include "lint/tool_rules.h"
#include "text/nearest.h"

#include <model_validator/error.h>
#include <model_validator/target_profile.h>

#include <boost/algorithm/string/predicate.hpp>

#include <fstream>

namespace model_validator::cli {

std::vector<RuleInfo> all_rules() { return model_validator::all_rules(Registry::builtin()); }

RuleInfo find_rule(const std::string& name_or_code) {
  std::vector<std::string> names;
  for (const RuleInfo& rule : all_rules()) {
    if (boost::iequals(rule.name, name_or_code) || boost::iequals(rule.code, name_or_code))
      return rule;
    names.emplace_back(rule.name);
    names.emplace_back(rule.code);
  }
  throw Error(ErrorKind::unknown_rule, "", "there is no rule `" + name_or_code + "`",
              rules::suggestion(name_or_code, names));
}

std::string rule_page(const RuleInfo& rule) {
  const auto folder = rules_folder().parent_path() / "docs" / "rules";
  std::ifstream file(folder / (std::string(rule.name) + ".md"));
  std::string page;
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with("<!--")) page += line + '\n'; // those are for the tests
  if (!page.empty()) return page;
  return "# " + std::string(rule.name) + "\n\n`" + std::string(rule.code) + "` · " +
         std::string(rule.summary) + "\n";
}

} // namespace model_validator::cli
