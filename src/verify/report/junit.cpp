#include "text/escape.h"
#include "verify/report/shown_outputs.h"

#include <model_validator/verify/render.h>

#include <boost/property_tree/xml_parser.hpp>

#include <algorithm>
#include <sstream>

namespace model_validator::verify {

namespace {

using Tree = boost::property_tree::ptree;

std::string failed_messages(const OutputReport& output) {
  std::string text;
  for (const Verdict& verdict : output.verdicts)
    if (!verdict.passed) text += verdict.check + ": " + verdict.message + "\n";
  return text;
}

std::string first_message(const OutputReport& output) {
  const auto failed =
      std::ranges::find_if(output.verdicts, [](const Verdict& verdict) { return !verdict.passed; });
  return failed->message;
}

Tree test_case(const std::string& suite, const std::string& name) {
  Tree test;
  test.put("<xmlattr>.classname", escape(suite));
  test.put("<xmlattr>.name", escape(name));
  return test;
}

Tree output_case(const VerifyReport& report, const OutputReport& output) {
  Tree test = test_case(report.reference, title_of(output, report));
  if (output.passed()) return test;
  test.put("failure", escape_lines(failed_messages(output)));
  test.put("failure.<xmlattr>.message", escape_lines(first_message(output)));
  return test;
}

Tree incident_case(const VerifyReport& report, const Incident& incident) {
  Tree test = test_case(report.reference, to_string(incident.kind));
  if (!incident.failure) {
    test.put("system-out", escape(incident.message));
    return test;
  }
  test.put("error", escape(incident.hint));
  test.put("error.<xmlattr>.message", escape(incident.message));
  return test;
}

void put_counts(Tree& tree, const VerifyReport& report) {
  tree.put("<xmlattr>.tests", report.outputs.size() + report.incidents.size());
  tree.put("<xmlattr>.failures", failures(report));
  tree.put("<xmlattr>.errors", std::ranges::count_if(report.incidents, &Incident::failure));
}

} // namespace

std::string render_junit(const VerifyReport& report) {
  Tree suite;
  suite.put("<xmlattr>.name",
            escape("verify " + report.reference + " against " + report.candidate));
  put_counts(suite, report);
  for (const OutputReport& output : report.outputs)
    suite.add_child("testcase", output_case(report, output));
  for (const Incident& incident : report.incidents)
    suite.add_child("testcase", incident_case(report, incident));
  Tree document;
  put_counts(document.add_child("testsuites", {}), report);
  document.add_child("testsuites.testsuite", suite);
  std::ostringstream text;
  boost::property_tree::write_xml(
      text, document, boost::property_tree::xml_writer_make_settings<std::string>(' ', 2));
  return text.str();
}

} // namespace model_validator::verify
