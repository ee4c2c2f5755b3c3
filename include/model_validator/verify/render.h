#pragma once

#include <model_validator/verify/report.h>

#include <string>

namespace model_validator::verify {

/// The table for the terminal, the worst coordinates of what fails, notes and a closing line.
std::string render_text(const VerifyReport& report, bool color = false);

/// `model_validator-verify/1`, see docs/verify-json.md.
std::string render_json(const VerifyReport& report);

/// One test case per output and per incident.
std::string render_junit(const VerifyReport& report);

/// One self-contained page with error histograms and the per-op error plot.
std::string render_html(const VerifyReport& report);

} // namespace model_validator::verify
