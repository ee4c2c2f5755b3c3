#include "connected_graph/code_owners.h"
#include "files/json_text.h"
#include "report/formats.h"
#include "report/names.h"
#include "report/repository.h"
#include "report/target_sentence.h"
#include "report/version.h"

#include <algorithm>
#include <map>
#include <ostream>

namespace model_validator {
namespace {

constexpr const char* schema = "https://json.schemastore.org/sarif-2.1.0.json";

const char* level_of(Severity severity) {
  switch (severity) {
  case Severity::error: return "error";
  case Severity::warning: return "warning";
  case Severity::info: return "note";
  case Severity::off: return "none";
  }
  return "none";
}

Json text_of(const std::string& text) { return Json{{"text", text}}; }

/// SARIF counts columns from 1.
Json region_of(const SourceLocation& source) {
  Json region{{"startLine", source.line}};
  if (source.column > 0) {
    region["startColumn"] = source.column + 1;
    if (source.length > 0) region["endColumn"] = source.column + source.length + 1;
  }
  return region;
}

Json physical(const std::string& file, Json region) {
  return Json{{"artifactLocation", Json{{"uri", uri_of(file)}}}, {"region", std::move(region)}};
}

Json location_of(const DiagnosticLocation& location) {
  Json region = region_of(location.source);
  if (!location.code.empty()) region["snippet"] = text_of(location.code);
  Json json{{"physicalLocation", physical(location.source.file, std::move(region))}};
  if (!location.role.empty()) json["message"] = text_of(location.role);
  return json;
}

/// The Python line, else the model file; results without a location are dropped by GitHub.
Json main_location(const Diagnostic& finding, const std::string& model) {
  const DiagnosticLocation* first = location_at_hand(finding);
  Json json = first ? location_of(*first)
                    : Json{{"physicalLocation", physical(model, Json{{"startLine", 1}})}};
  if (!finding.module.empty())
    json["logicalLocations"] =
        Json::array({Json{{"fullyQualifiedName", finding.module}, {"kind", "module"}}});
  return json;
}

Json related_locations(const Diagnostic& finding) {
  const DiagnosticLocation* first = location_at_hand(finding);
  Json related = Json::array();
  if (first == nullptr) return related;
  for (const DiagnosticLocation& location : finding.locations)
    if (location.source.known() && &location != first) related.push_back(location_of(location));
  return related;
}

std::string message_of(const Diagnostic& finding) {
  std::string message = finding.message;
  for (const std::string& note : finding.notes) message += "\nnote: " + note;
  if (const DiagnosticLocation* first = first_location(finding);
      first && !location_at_hand(finding))
    message += "\nnote: at " + place_elsewhere(first->source);
  return finding.help.empty() ? message : message + "\nhelp: " + finding.help;
}

/// SARIF counts columns from 1.
Json replacement_of(const Edit& edit) {
  Json deleted{{"startLine", edit.start.line},
               {"startColumn", edit.start.column + 1},
               {"endLine", edit.end.line},
               {"endColumn", edit.end.column + 1}};
  return Json{{"deletedRegion", std::move(deleted)}, {"insertedContent", text_of(edit.text)}};
}

/// One change per file.
Json fix_of(const Fix& fix) {
  std::map<std::string, Json> replacements;
  for (const Edit& edit : fix.edits) {
    auto [file, fresh] = replacements.try_emplace(edit.file, Json::array());
    file->second.push_back(replacement_of(edit));
  }
  Json changes = Json::array();
  for (auto& [file, edits] : replacements)
    changes.push_back(Json{{"artifactLocation", Json{{"uri", uri_of(file)}}},
                           {"replacements", std::move(edits)}});
  return Json{{"description", text_of(fix.description)}, {"artifactChanges", std::move(changes)}};
}

Json suppression_of(const Suppression& suppression) {
  Json json{{"kind", suppression.by == "inline" ? "inSource" : "external"}};
  if (!suppression.reason.empty()) json["justification"] = suppression.reason;
  return json;
}

Json rule_of(const RuleInfo& rule) {
  return Json{{"id", rule.code},
              {"name", rule.name},
              {"shortDescription", text_of(std::string(rule.summary))},
              {"help", text_of("model_validator rule " + std::string(rule.name))},
              {"defaultConfiguration",
               Json{{"enabled", rule.on_by_default}, {"level", level_of(rule.severity)}}}};
}

Json notification(const std::string& id, const char* level, const std::string& text,
                  const std::string& model) {
  return Json{{"descriptor", Json{{"id", id}}},
              {"level", level},
              {"message", text_of(text)},
              {"locations",
               Json::array({Json{{"physicalLocation",
                                  Json{{"artifactLocation", Json{{"uri", uri_of(model)}}}}}}})}};
}

Json notification_of(const ModelReport& report) {
  const Error& error = *report.error;
  const std::string text =
      error.hint().empty() ? error.what() : error.what() + ("\nhelp: " + error.hint());
  const char* level = report.status == ModelStatus::no_model ? "note" : "error";
  return notification(std::string(to_string(error.kind())), level, text, report.path);
}

Json notification_of(const TargetVerdict& verdict, const std::string& model) {
  return notification("target " + verdict.target, "note", sentence(verdict), model);
}

/// SARIF 2.1.0, as code hosts and editors read it; results are written model by model.
class Sarif final : public ReportWriter {
public:
  Sarif(std::ostream& out, const Rules& rules) : out_(out), rules_(rules) {}

  void begin() override {
    Json rules = Json::array();
    for (const RuleInfo& rule : rules_) rules.push_back(rule_of(rule));
    const Json tool{
        {"driver",
         Json{{"name", "model_validator"}, {"version", version}, {"rules", std::move(rules)}}}};
    out_ << "{\n  \"$schema\": " << json_text(schema) << ",\n  \"version\": \"2.1.0\",\n"
         << "  \"runs\": [\n    {\n      \"tool\":\n"
         << json_block(tool, 6)
         << ",\n      \"columnKind\": \"unicodeCodePoints\",\n      \"results\": [";
  }

  void add(const ModelReport& report) override {
    if (report.error) notifications_.push_back(notification_of(report));
    for (const CheckResult& check : report.checks)
      if (check.status == CheckStatus::not_judged)
        notifications_.push_back(
            notification(check.name, "note",
                         "`" + check.name + "` was not judged: " + check.lacking, report.path));
    for (const TargetVerdict& verdict : report.verdicts)
      notifications_.push_back(notification_of(verdict, report.path));
    const CodeOwners owners(report.findings);
    for (const Diagnostic& finding : report.findings) {
      out_ << (first_ ? "\n" : ",\n") << json_block(result_of(finding, owners, report.path), 8);
      first_ = false;
    }
  }

  void end(const RunSummary& summary) override {
    Json invocation{{"executionSuccessful", summary.unreadable == 0 && summary.skipped == 0}};
    if (!notifications_.empty()) invocation["toolExecutionNotifications"] = notifications_;
    out_ << (first_ ? "" : "\n      ") << "],\n      \"invocations\":\n"
         << json_block(Json::array({invocation}), 6) << "\n    }\n  ]\n}\n";
  }

private:
  Json result_of(const Diagnostic& finding, const CodeOwners& owners,
                 const std::string& model) const {
    Json result{{"ruleId", finding.code}};
    if (const auto index = rule_index(finding.code); index < rules_.size())
      result["ruleIndex"] = index;
    // What does not count fails no code scanning, either.
    result["level"] = level_of(finding.excused ? Severity::info : finding.severity);
    result["message"] = text_of(message_of(finding));
    result["locations"] = Json::array({main_location(finding, model)});
    if (Json related = related_locations(finding); !related.empty())
      result["relatedLocations"] = std::move(related);
    result["partialFingerprints"] = Json{{"modelValidator/v1", finding.fingerprint}};
    if (finding.fix && !finding.fix->edits.empty())
      result["fixes"] = Json::array({fix_of(*finding.fix)});
    if (finding.suppressed)
      result["suppressions"] = Json::array({suppression_of(*finding.suppressed)});
    result["properties"] = Json{{"model", model}};
    if (finding.op) result["properties"]["op"] = finding.op->name;
    if (const std::string package = owners.package_of(finding); !package.empty())
      result["properties"]["package"] = package;
    if (finding.excused) result["properties"]["excused"] = "installed-code";
    return result;
  }

  std::size_t rule_index(const std::string& code) const {
    return static_cast<std::size_t>(
        std::ranges::find_if(rules_, [&](const RuleInfo& rule) { return rule.code == code; }) -
        rules_.begin());
  }

  std::ostream& out_;
  Rules rules_;
  Json notifications_ = Json::array();
  bool first_ = true;
};

} // namespace

std::unique_ptr<ReportWriter> make_sarif(std::ostream& out, const Style&, const Rules& rules) {
  return std::make_unique<Sarif>(out, rules);
}

} // namespace model_validator
