#pragma once

#include "requests/reading.h"

#include <optional>
#include <string>

namespace model_validator {

/// What a model is, as text.
struct InspectRequest {
  std::string format = "table"; ///< table, json, ir, typed-ir
  bool fingerprint = true;      ///< reads the weights
  std::optional<TraceOptions> trace;
  ReadOptions read;
};

/// @throws Error
void describe_model(const std::filesystem::path& file, const InspectRequest& request,
                    Findings& found);

} // namespace model_validator
