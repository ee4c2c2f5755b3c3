#pragma once

#include "report/report_writer.h"

namespace model_validator {

using Rules = std::vector<RuleInfo>;

/// Makes the writer of one format.
using MakeWriter = std::unique_ptr<ReportWriter>(std::ostream& out, const Style& style,
                                                 const Rules& rules);
MakeWriter make_full, make_concise, make_json, make_jsonl, make_sarif, make_github, make_html,
    make_markdown, make_junit;

} // namespace model_validator
