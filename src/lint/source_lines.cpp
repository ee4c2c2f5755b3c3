#include "lint/source_lines.h"

#include "files/python_source.h"

#include <utility>

namespace model_validator {

void add_lines_at_hand(std::vector<Diagnostic>& findings,
                       std::vector<std::filesystem::path> roots) {
  PythonSource files(std::move(roots));
  for (Diagnostic& finding : findings)
    for (DiagnosticLocation& location : finding.locations)
      if (location.code.empty() && location.source.known())
        location.code = files.line(location.source.file, location.source.line);
}

} // namespace model_validator
