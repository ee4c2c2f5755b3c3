#pragma once

#include <model_validator/connected_graph.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// A `# mv: ignore[rule, …] reason` at the end of a line of Python, or a comment that is meant to
/// be one, which hides nothing.
struct InlineIgnore {
  std::vector<std::string> rules; ///< selectors
  std::string reason;             ///< may be empty
  SourceLocation where;
  std::string mistake = {}; ///< why it is none, as a clause; else empty
  std::string remedy = {};  ///< what to write instead
};

/// The rules that a line of Python says to ignore on it, or a comment that is meant to say so.
std::optional<InlineIgnore> parse_ignore(std::string_view line);

/// The mistake of a comment that has a line to itself, above the line that it is meant for.
std::optional<InlineIgnore> ignore_above(std::string_view line);

/// A line without such a comment.
std::string without_ignore(const std::string& line);

/// Those in the Python that the model carries.
std::vector<InlineIgnore> inline_ignores(const ConnectedGraph& graph);

} // namespace model_validator
