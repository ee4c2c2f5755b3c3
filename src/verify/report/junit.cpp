#include "text/escape.h"
#include "verify/report/figures.h"
#include "verify/report/markup.h"

#include <model_validator/verify/render.h>

#include <algorithm>

namespace model_validator::verify {

namespace {

std::string failed_messages(const OutputReport& output) {
  std::string text;
  for (const Verdict& verdict : output.verdicts)
    if (!verdict.passed) text += verdict.check + ": " + verdict.message + "\n";
  return text;
}

std::string first_message(const OutputReport& output) {
  const auto failed = std::find_if(output.verdicts.begin(), output.verdicts.end(),
                                   [](const Verdict& verdict) { return !verdict.passed; });
  return failed->message;
}

std::string test_case(const std::string& suite, const std::string& name) {
  return "    <testcase classname=\"" + markup(escape(suite)) + "\" name=\"" +
         markup(escape(name)) + "\"";
}

std::string output_case(const VerifyReport& report, const OutputReport& output) {
  const std::string head = test_case(report.reference, title_of(output, report));
  if (output.passed()) return head + "/>\n";
  return head + ">\n      <failure message=\"" + markup(first_message(output)) + "\">" +
         markup(failed_messages(output)) + "</failure>\n    </testcase>\n";
}

std::string incident_case(const VerifyReport& report, const Incident& incident) {
  const std::string head = test_case(report.reference, to_string(incident.kind));
  const std::string words = "message=\"" + markup(escape(incident.message)) + "\"";
  if (!incident.failure)
    return head + ">\n      <system-out>" + markup(escape(incident.message)) +
           "</system-out>\n    </testcase>\n";
  return head + ">\n      <error " + words + ">" + markup(escape(incident.hint)) +
         "</error>\n    </testcase>\n";
}

} // namespace

std::string render_junit(const VerifyReport& report) {
  const auto errors = std::count_if(report.incidents.begin(), report.incidents.end(),
                                    [](const Incident& incident) { return incident.failure; });
  const std::string counts = "tests=\"" +
                             std::to_string(report.outputs.size() + report.incidents.size()) +
                             "\" failures=\"" + std::to_string(failures(report)) + "\" errors=\"" +
                             std::to_string(errors) + "\"";
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + counts +
                     ">\n  <testsuite name=\"" +
                     markup(escape("verify " + report.reference + " against " + report.candidate)) +
                     "\" " + counts + ">\n";
  for (const OutputReport& output : report.outputs) text += output_case(report, output);
  for (const Incident& incident : report.incidents) text += incident_case(report, incident);
  return text + "  </testsuite>\n</testsuites>\n";
}

} // namespace model_validator::verify
