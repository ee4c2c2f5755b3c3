#include "report/cause.h"
#include "report/formats.h"
#include "report/installed_code.h"
#include "report/names.h"
#include "report/target_sentence.h"
#include "text/escape.h"
#include "text/plural.h"

#include <boost/property_tree/xml_parser.hpp>

#include <algorithm>
#include <ostream>

namespace model_validator {
namespace {

using Tree = boost::property_tree::ptree;

/// JUnit's XML, as build servers read it: a suite per model, a test per check.
class JUnit final : public ReportWriter {
public:
  explicit JUnit(std::ostream& out) : out_(out) {}

  void add(const ModelReport& report) override {
    Tree suite;
    suite.put("<xmlattr>.name", escape(report.path));
    suite.put("<xmlattr>.tests", report.error ? 1 : report.checks.size());
    suite.put("<xmlattr>.failures", count(report, CheckStatus::failed));
    const bool failed_to_read = report.error && report.status != ModelStatus::no_model;
    suite.put("<xmlattr>.errors", failed_to_read ? 1 : count(report, CheckStatus::crashed));
    suite.put("<xmlattr>.skipped",
              report.status == ModelStatus::no_model ? 1 : count(report, CheckStatus::not_judged));
    if (!report.verdicts.empty()) suite.add_child("properties", properties_of(report.verdicts));
    if (report.error)
      suite.add_child("testcase", unreadable(report));
    else
      for (const CheckResult& check : report.checks)
        suite.add_child("testcase", test_of(check, report));
    suites_.add_child("testsuite", suite);
  }

  void end(const RunSummary&) override {
    suites_.put("<xmlattr>.name", std::string("model_validator"));
    Tree document;
    document.add_child("testsuites", suites_);
    boost::property_tree::write_xml(
        out_, document, boost::property_tree::xml_writer_make_settings<std::string>(' ', 2));
  }

private:
  static std::size_t count(const ModelReport& report, CheckStatus status) {
    return static_cast<std::size_t>(std::ranges::count_if(
        report.checks, [&](const CheckResult& check) { return check.status == status; }));
  }

  static Tree properties_of(const std::vector<TargetVerdict>& verdicts) {
    Tree properties;
    for (const TargetVerdict& verdict : verdicts) {
      Tree property;
      property.put("<xmlattr>.name", escape("target " + verdict.target));
      property.put("<xmlattr>.value", escape(sentence(verdict)));
      properties.add_child("property", property);
    }
    return properties;
  }

  static Tree named(const ModelReport& report, const std::string& name) {
    Tree test;
    test.put("<xmlattr>.classname", escape(report.path));
    test.put("<xmlattr>.name", name);
    return test;
  }

  /// @param text  escaped, line by line
  static Tree problem(const std::string& type, const std::string& message,
                      const std::string& text) {
    Tree tree;
    tree.put("<xmlattr>.type", escape(type));
    tree.put("<xmlattr>.message", escape(message));
    tree.put_value(text);
    return tree;
  }

  static Tree skipped(const std::string& why) {
    Tree tree;
    tree.put("<xmlattr>.message", escape(why));
    return tree;
  }

  static Tree unreadable(const ModelReport& report) {
    Tree test = named(report, "read");
    if (report.status == ModelStatus::no_model)
      test.add_child("skipped", skipped(report.error->what()));
    else
      test.add_child("error", problem(std::string(to_string(report.error->kind())),
                                      report.error->what(), escape(report.error->hint())));
    return test;
  }

  static Tree test_of(const CheckResult& check, const ModelReport& report) {
    Tree test = named(report, check.name);
    const std::string text = details(check, report);
    const std::string message = plural(check.findings, "finding");
    if (check.status == CheckStatus::failed)
      test.add_child("failure", problem(check.name, message, text));
    else if (check.status == CheckStatus::crashed)
      test.add_child("error", problem("internal-error", "the check stopped", text));
    else if (check.status == CheckStatus::not_judged)
      test.add_child("skipped", skipped("not judged: " + check.lacking));
    else if (!text.empty())
      test.put("system-out", text);
    return test;
  }

  static std::string details(const CheckResult& check, const ModelReport& report) {
    std::string text;
    for (const Cause& cause : causes_of(report.findings, {})) {
      const Diagnostic& finding = *cause.first;
      const bool of_crash = finding.rule == "internal-error" && finding.method == check.name;
      if (finding.rule != check.name && !of_crash) continue;
      text += place_of(finding, report.path) + ": " + escape(finding.message) + "\n";
      if (const std::string others = others_note(cause, 0); !others.empty())
        text += "  note: " + escape(others) + "\n";
      if (!finding.help.empty()) text += "  help: " + escape(finding.help) + "\n";
    }
    InstalledCode installed;
    installed.add(report.findings, report.path);
    for (const InstalledFindings& each : installed.all())
      if (each.first.rule == check.name)
        text += escape(report.path) + ": " + escape(each.headline()) +
                "\n  note: " + escape(each.what()) + "\n  help: " + escape(each.help()) + "\n";
    return text;
  }

  std::ostream& out_;
  Tree suites_;
};

} // namespace

std::unique_ptr<ReportWriter> make_junit(std::ostream& out, const Style&, const Rules&) {
  return std::make_unique<JUnit>(out);
}

} // namespace model_validator
