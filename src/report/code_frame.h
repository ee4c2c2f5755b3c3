#pragma once

#include "report/style.h"

#include <model_validator/diagnostic.h>

#include <string>
#include <vector>

namespace model_validator {

/// The line of Python that a location points at: from the diagnostic, else from the Python file
/// where it is at hand; empty where neither has it.
std::string code_line(const DiagnosticLocation& location);

/// The code and the carets under it, each a line without the gutter; empty where the code is not
/// known.
struct CodeFrame {
  std::string code;
  std::string carets;
};
CodeFrame code_frame(const DiagnosticLocation& location, std::size_t width);

} // namespace model_validator
