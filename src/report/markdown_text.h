#pragma once

#include <string>

namespace model_validator {

/// Where a text is written: in a table, a bar ends the cell even in code.
enum class MarkdownPlace : bool { line, cell };

/// A name, from a model or of a file, as a piece of code: Markdown sees nothing in it.
std::string markdown_code(const std::string& name, MarkdownPlace place = MarkdownPlace::line);

/// A sentence, which may quote names of a model. What stands between backticks, and every word that
/// Markdown could take for markup, a mention or a link, is written as code.
std::string markdown_text(const std::string& text, MarkdownPlace place = MarkdownPlace::line);

} // namespace model_validator
