#include "report/report_writer.h"

#include "report/formats.h"

#include <model_validator/error.h>

namespace model_validator {
namespace {

struct Format {
  const char* name;
  MakeWriter* make;
};

constexpr Format formats[] = {
    {"full", make_full},   {"concise", make_concise}, {"json", make_json},
    {"jsonl", make_jsonl}, {"sarif", make_sarif},     {"github", make_github},
    {"junit", make_junit}, {"html", make_html},       {"markdown", make_markdown},
};

} // namespace

std::vector<std::string> output_formats() {
  std::vector<std::string> names;
  for (const Format& format : formats) names.emplace_back(format.name);
  return names;
}

std::unique_ptr<ReportWriter> make_report_writer(const std::string& format, std::ostream& out,
                                                 const Style& style, const Rules& rules) {
  for (const Format& known : formats)
    if (format == known.name) return known.make(out, style, rules);
  throw Error(ErrorKind::unknown_format, "", "there is no output format `" + format + "`");
}

} // namespace model_validator
