#include "requests/recorded_rule.h"

#include <model_validator/error.h>

namespace model_validator {
namespace {

using Json = nlohmann::json;

/// The texts that the info of a rule only views.
struct RuleTexts {
  std::string name, code, summary;
};

class RecordedRule final : public Validator {
public:
  RecordedRule(RuleTexts texts, const Json& rule, std::vector<Diagnostic> findings)
      : texts_(std::move(texts)), findings_(std::move(findings)) {
    info_.name = texts_.name;
    info_.code = texts_.code;
    info_.summary = texts_.summary;
    info_.severity = severity_from(rule.value("severity", "warning")).value_or(Severity::warning);
    info_.on_by_default = rule.value("on_by_default", true);
  }

  const RuleInfo& info() const override { return info_; }

  void run(const ConnectedGraph&, const Context&, Diagnostics& diagnostics) const override {
    for (const Diagnostic& finding : findings_) {
      Diagnostic started = finding;
      const Diagnostic own = diagnostics.start(finding.message);
      started.rule = own.rule;
      started.code = own.code;
      if (finding.severity == Severity::off) started.severity = own.severity;
      diagnostics.add(std::move(started));
    }
  }

private:
  RuleTexts texts_;
  RuleInfo info_;
  std::vector<Diagnostic> findings_;
};

std::vector<std::string> texts_of(const Json& object, const char* name) {
  return object.value(name, std::vector<std::string>{});
}

DiagnosticLocation location_of(const Json& json) {
  DiagnosticLocation location;
  location.source.file = json.value("file", "");
  location.source.line = json.value("line", 0);
  location.source.column = json.value("column", 0);
  location.source.length = json.value("length", 0);
  location.module = json.value("module", "");
  location.role = json.value("role", "call");
  location.code = json.value("code", "");
  return location;
}

/// A severity of `off` stands for the rule's own.
Diagnostic finding_of(const Json& json) {
  Diagnostic finding;
  finding.message = json.at("message").get<std::string>();
  finding.severity = severity_from(json.value("severity", "off")).value_or(Severity::off);
  finding.module = json.value("module", "");
  finding.aliases = texts_of(json, "aliases");
  finding.parent = json.value("parent", "");
  if (const auto op = json.find("op"); op != json.end() && op->is_object())
    finding.op = OpReference{op->value("name", ""), op->value("type", "")};
  for (const Json& location : json.value("locations", Json::array()))
    finding.locations.push_back(location_of(location));
  finding.help = json.value("help", "");
  finding.notes = texts_of(json, "notes");
  return finding;
}

RuleTexts rule_texts(const Json& rule) {
  RuleTexts texts;
  texts.name = rule.at("name").get<std::string>();
  texts.code = rule.at("code").get<std::string>();
  texts.summary = rule.value("summary", "");
  return texts;
}

std::shared_ptr<const Validator> rule_of(const Json& rule) {
  std::vector<Diagnostic> findings;
  for (const Json& finding : rule.value("findings", Json::array()))
    findings.push_back(finding_of(finding));
  return std::make_shared<RecordedRule>(rule_texts(rule), rule, std::move(findings));
}

} // namespace

std::vector<std::shared_ptr<const Validator>> recorded_rules(const Json& rules) try {
  std::vector<std::shared_ptr<const Validator>> all;
  for (const Json& rule : rules) all.push_back(rule_of(rule));
  return all;
} catch (const Json::exception& error) {
  throw Error(ErrorKind::bad_options, "",
              std::string("a custom rule is not well formed: ") + error.what());
}

} // namespace model_validator
