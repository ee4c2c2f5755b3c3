#pragma once

#include <string>
#include <vector>

namespace model_validator {

/// Rows of cells as lines with aligned columns; the first row is the heading. Cells may be of any
/// script; numbers are right-aligned.
std::vector<std::string> align_columns(const std::vector<std::vector<std::string>>& rows,
                                       const std::vector<bool>& right);

} // namespace model_validator
