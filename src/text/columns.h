#pragma once

#include <string>
#include <vector>

namespace model_validator {

/// Rows of cells as lines whose columns stand below one another; the first row is the heading.
/// Cells may be of any script; those of numbers stand to the right.
std::vector<std::string> align_columns(const std::vector<std::vector<std::string>>& rows,
                                       const std::vector<bool>& right);

} // namespace model_validator
