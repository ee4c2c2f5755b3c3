#pragma once

#include "report/style.h"
#include "report/summary.h"

#include <model_validator/lint.h>
#include <model_validator/validator.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace model_validator {

/// Writes the results of a run in one format, model by model.
class ReportWriter {
public:
  virtual ~ReportWriter() = default;
  virtual void begin() {}
  virtual void add(const ModelReport& report) = 0;
  virtual void end(const RunSummary& summary) = 0;
};

/// The formats that `--output-format` takes.
std::vector<std::string> output_formats();

/// @param format  one of output_formats()
/// @param rules   those that may turn up, for formats that describe them
std::unique_ptr<ReportWriter> make_report_writer(const std::string& format, std::ostream& out,
                                                 const Style& style,
                                                 const std::vector<RuleInfo>& rules);

} // namespace model_validator
