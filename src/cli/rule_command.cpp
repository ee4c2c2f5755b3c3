#include "cli/commands.h"
#include "cli/console/option_adder.h"
#include "cli/listing.h"
#include "cli/rule_pages.h"
#include "lint/validation_log.h"

#include <model_validator/error.h>

#include <CLI/CLI.hpp>

#include <iomanip>
#include <memory>

namespace model_validator::cli {
namespace {

struct RuleOptions {
  std::vector<std::string> names;
  bool all = false;
  std::string format = "text";
};

Json to_json(const RuleInfo& rule) {
  return {{"name", rule.name},
          {"code", rule.code},
          {"log_name", log_name(rule.name)},
          {"summary", rule.summary},
          {"severity", to_string(rule.severity)},
          {"on_by_default", rule.on_by_default},
          {"page", rule_page(rule)}};
}

void write_list(std::ostream& out, const std::vector<RuleInfo>& rules) {
  const int longest = longest_name(rules);
  for (const RuleInfo& rule : rules)
    out << rule.code << "  " << std::left << std::setw(longest) << rule.name << "  " << std::setw(7)
        << to_string(rule.severity) << "  " << rule.summary
        << (rule.on_by_default ? "" : " (off by default)") << '\n';
}

/// How it is silenced. What is about a file, a target or weights need not point at a line of
/// Python.
void write_ignoring(std::ostream& out, const RuleInfo& rule) {
  const std::string comment = "`# mv: ignore[" + std::string(rule.name) + "] the reason`";
  const std::string option = "`--ignore " + std::string(rule.name) + "`";
  if (rule.about_code)
    out << comment << " at the end of the line of Python ignores it there; " << option
        << ", or `ignore` in the\nconfiguration, everywhere.\n";
  else
    out << option << ", or `ignore` in the configuration, ignores it everywhere; a `[[suppress]]` "
        << "there, with a reason,\nin one model or module; and where a finding points at a line of "
        << "Python, " << comment << "\nat its end, there.\n";
}

void write_pages(std::ostream& out, const std::vector<RuleInfo>& rules) {
  for (const RuleInfo& rule : rules) {
    out << (&rule == rules.data() ? "" : "\n") << rule_page(rule) << "\n## Ignoring it\n\n";
    write_ignoring(out, rule);
  }
}

std::vector<RuleInfo> chosen(const RuleOptions& options) {
  if (options.all) return all_rules();
  if (options.names.empty())
    throw Error(ErrorKind::usage, "", "no rule is named", "name one, or list them with `--all`");
  std::vector<RuleInfo> rules;
  for (const std::string& name : options.names) rules.push_back(find_rule(name));
  return rules;
}

int run_rule(const RuleOptions& options) {
  return print_listing(
      options.format == "json", "rules", "rules", chosen(options),
      [](const RuleInfo& rule) { return to_json(rule); }, options.all ? write_list : write_pages);
}

} // namespace

Run add_rule(CLI::App& app) {
  auto options = std::make_shared<RuleOptions>();
  auto* names = app.add_option("RULE", options->names, "names or codes")->type_name("");
  app.add_flag("--all", options->all, "every rule, one per line")->excludes(names);
  OptionAdder(app, default_group)
      .option({"format", "FORMAT", "text or json", {"text", "json"}}, options->format);
  return [options] { return run_rule(*options); };
}

} // namespace model_validator::cli
