#pragma once

#include "report/report_writer.h"

namespace model_validator {

using Rules = std::vector<RuleInfo>;

std::unique_ptr<ReportWriter> make_full(std::ostream& out, const Style& style, const Rules& rules);
std::unique_ptr<ReportWriter> make_concise(std::ostream& out, const Style& style,
                                           const Rules& rules);
std::unique_ptr<ReportWriter> make_json(std::ostream& out, const Style& style, const Rules& rules);
std::unique_ptr<ReportWriter> make_jsonl(std::ostream& out, const Style& style, const Rules& rules);
std::unique_ptr<ReportWriter> make_sarif(std::ostream& out, const Style& style, const Rules& rules);
std::unique_ptr<ReportWriter> make_github(std::ostream& out, const Style& style,
                                          const Rules& rules);
std::unique_ptr<ReportWriter> make_html(std::ostream& out, const Style& style, const Rules& rules);
std::unique_ptr<ReportWriter> make_markdown(std::ostream& out, const Style& style,
                                            const Rules& rules);
std::unique_ptr<ReportWriter> make_junit(std::ostream& out, const Style& style, const Rules& rules);

} // namespace model_validator
