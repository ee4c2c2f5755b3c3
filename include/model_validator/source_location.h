#pragma once

#include <string>

namespace model_validator {

/// A place in the user's own Python source, as the exporter recorded it.
struct SourceLocation {
  std::string file; ///< as recorded by the exporter; empty if unknown
  int line = 0;     ///< counted from 1; 0 where unknown
  int column = 0;   ///< from 0, like Python's `ast`; traces record none, so 0 may mean unknown
  int length = 0;   ///< characters of the line that the expression spans; 0 where unknown

  bool known() const noexcept { return !file.empty() && line > 0; }
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

} // namespace model_validator
