#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/option_adder.h"
#include "cli/console/output.h"
#include "cli/rule_pages.h"
#include "files/json_text.h"
#include "lint/validation_log.h"

#include <model_validator/error.h>

#include <CLI/CLI.hpp>

#include <iomanip>
#include <memory>

namespace model_validator::cli {
namespace {

constexpr const char* rules_schema = "model_validator-rules/1";

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

void write_json(std::ostream& out, const std::vector<RuleInfo>& rules) {
  Json list = Json::array();
  for (const RuleInfo& rule : rules) list.push_back(to_json(rule));
  out << json_text(Json{{"schema", rules_schema}, {"rules", std::move(list)}}, 2) << '\n';
}

void write_list(std::ostream& out, const std::vector<RuleInfo>& rules) {
  std::size_t longest = 0;
  for (const RuleInfo& rule : rules) longest = std::max(longest, rule.name.size());
  for (const RuleInfo& rule : rules)
    out << rule.code << "  " << std::left << std::setw(static_cast<int>(longest)) << rule.name
        << "  " << std::setw(7) << to_string(rule.severity) << "  " << rule.summary
        << (rule.on_by_default ? "" : " (off by default)") << '\n';
}

void write_pages(std::ostream& out, const std::vector<RuleInfo>& rules) {
  for (const RuleInfo& rule : rules)
    out << (&rule == rules.data() ? "" : "\n") << rule_page(rule)
        << "\n## Ignoring it\n\n`# mv: ignore[" << rule.name
        << "] the reason` at the end of the line of Python ignores it there; `--ignore "
        << rule.name << "`, or `ignore` in the\nconfiguration, everywhere.\n";
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
  const auto rules = chosen(options);
  Output output;
  if (options.format == "json")
    write_json(output.stream(), rules);
  else if (options.all)
    write_list(output.stream(), rules);
  else
    write_pages(output.stream(), rules);
  output.finish();
  return clean;
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
