#pragma once

#include <model_validator/verify/report.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace model_validator::verify {

/// How much of a report is written out.
enum class Detail : std::uint8_t {
  verdict, ///< only what differs and the last line
  folded,  ///< outputs that are the same share a line
  all
};

/// The table for the terminal, the worst coordinates of what fails, notes and a closing line.
std::string render_text(const VerifyReport& report, bool color = false,
                        Detail detail = Detail::all);

/// `model_validator-verify/1`, see docs/verification.md.
std::string render_json(const VerifyReport& report);

/// One test case per output and per incident.
std::string render_junit(const VerifyReport& report);

/// One self-contained page with error histograms and the error of each op.
/// @param graph  the reference's graph as `model_validator-graph/1`, which shows them too; may be
/// empty
std::string render_html(const VerifyReport& report, std::string_view graph = {});

} // namespace model_validator::verify
