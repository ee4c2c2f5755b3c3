#pragma once

#include "lint/settings.h"
#include "report/drawing.h"
#include "requests/reading.h"

#include <memory>
#include <optional>
#include <string>

namespace model_validator {

/// A graph as text: JSON, or DOT for every picture.
struct GraphRequest {
  std::string name; ///< what the user calls the file
  std::string format = "json";
  DrawingOptions drawing;
  std::shared_ptr<const Settings> settings; ///< of the findings in a picture
  std::optional<TraceOptions> trace;
  ReadOptions read;
};

/// @throws Error
void describe_graph(const std::filesystem::path& file, const GraphRequest& request,
                    Findings& found);

} // namespace model_validator
