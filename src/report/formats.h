#pragma once

#include "report/report_writer.h"

namespace model_validator {

std::unique_ptr<ReportWriter> make_full(std::ostream& out, const Style& style);
std::unique_ptr<ReportWriter> make_concise(std::ostream& out, const Style& style);
std::unique_ptr<ReportWriter> make_json(std::ostream& out, const Style& style);

} // namespace model_validator
