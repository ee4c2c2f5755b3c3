#pragma once

#include "report/style.h"

#include <model_validator/diagnostic.h>

#include <string>

namespace model_validator {

/// The code and the carets under it, each a line without the gutter; empty where the code is not
/// known.
struct CodeFrame {
  std::string code;
  std::string carets;
};
CodeFrame code_frame(const DiagnosticLocation& location, std::size_t width);

} // namespace model_validator
