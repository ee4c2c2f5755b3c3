#pragma once

#include "report/report_writer.h"
#include "report/style.h"

#include <ostream>
#include <string>

namespace model_validator {

/// What the reports have in common that people read in a terminal.
class TextReport : public ReportWriter {
protected:
  TextReport(std::ostream& out, const Style& style)
      : out_(out), style_(style), paint_(style.color) {}

  /// The file that could not be read.
  static const std::string& unread_file(const ModelReport& report) {
    return report.error->path().empty() ? report.path : report.error->path();
  }

  std::ostream& out_;
  const Style style_;
  const Paint paint_;
};

} // namespace model_validator
