#pragma once

#include "lint/settings.h"
#include "requests/reading.h"

#include <memory>
#include <optional>
#include <string>

namespace model_validator {

/// A graph as text: JSON or DOT.
struct GraphRequest {
  std::string name; ///< what the user calls the file
  std::string format = "json";
  std::shared_ptr<const Settings> settings; ///< of the findings that DOT shows
  std::optional<TraceOptions> trace;
  ReadOptions read;
};

/// @throws Error
void describe_graph(const std::filesystem::path& file, const GraphRequest& request,
                    Findings& found);

} // namespace model_validator
