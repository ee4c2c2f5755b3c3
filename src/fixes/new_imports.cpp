#include "fixes/new_imports.h"

#include "fixes/python/imports.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

bool is_import(const Node& statement) {
  return statement.is("import_statement") || statement.is("import_from_statement") ||
         statement.is("future_import_statement");
}

bool is_definition(const Node& statement) {
  return statement.is("class_definition") || statement.is("function_definition") ||
         statement.is("decorated_definition");
}

/// The last of those that stand before the first definition; no node for none.
Node last_import(const Node& root) {
  Node last;
  for (const Node& statement : root.children()) {
    if (is_definition(statement)) break;
    if (is_import(statement)) last = statement;
  }
  return last;
}

std::string text_of(const ImportLine& line) {
  std::string names;
  for (const auto& [name, alias] : line.names)
    names += (names.empty() ? "" : ", ") + name + (name == alias ? "" : " as " + alias);
  return line.package.empty() ? "import " + names : "from " + line.package + " import " + names;
}

} // namespace

std::vector<TextEdit> new_imports(const Node& root, const std::vector<ImportLine>& lines) {
  if (lines.empty()) return {};
  const Node last = last_import(root);
  const ImportPlace place = last ? ImportPlace{last.end(), ImportPlace::Behind::text} //
                                 : import_place(root);
  const bool behind_text = place.behind == ImportPlace::Behind::text;
  std::string text = behind_text && !last ? "\n" : "";
  for (const ImportLine& line : lines)
    text += behind_text ? "\n" + text_of(line) : text_of(line) + "\n";
  const std::size_t at = behind_text ? end_of_line(root.source(), place.offset) : place.offset;
  return {{at, at, text, 0}};
}

} // namespace model_validator::fixes
