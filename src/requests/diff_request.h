#pragma once

#include "requests/reading.h"

#include <string>

namespace model_validator {

/// Whether two models are the same, as text.
struct DiffRequest {
  std::string format = "text"; ///< text, json, html
  ReadOptions read;
};

/// @throws Error
void describe_difference(const std::filesystem::path& first, const std::filesystem::path& second,
                         const DiffRequest& request, Findings& found);

} // namespace model_validator
