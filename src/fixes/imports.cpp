#include "fixes/imports.h"

#include "fixes/scope.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

std::string first_part(std::string_view dotted) {
  return std::string(dotted.substr(0, dotted.find('.')));
}

} // namespace

Imports::Imports(const Node& root) {
  for (const Node& statement : all_of(root, "import_statement")) add_import(statement);
  for (const Node& statement : all_of(root, "import_from_statement")) add_from(statement);
}

void Imports::add_import(const Node& statement) {
  for (const Node& child : statement.children()) {
    if (child.is("aliased_import"))
      names_[std::string(child.field("alias").text())] = child.field("name").text();
    else
      names_[first_part(child.text())] = first_part(child.text());
  }
}

void Imports::add_from(const Node& statement) {
  const Node module = statement.field("module_name");
  if (!module) return;
  for (const Node& child : statement.children()) {
    if (child == module) continue;
    const bool aliased = child.is("aliased_import");
    const Node name = aliased ? child.field("name") : child;
    names_[std::string((aliased ? child.field("alias") : child).text())] =
        std::string(module.text()) + '.' + std::string(name.text());
  }
}

std::string Imports::resolve(std::string_view dotted) const {
  const auto found = names_.find(first_part(dotted));
  if (found == names_.end()) return {};
  return found->second + std::string(dotted.substr(found->first.size()));
}

std::string Imports::name_for(const std::string& full) const {
  const auto found = std::find_if(names_.begin(), names_.end(),
                                  [&](const auto& entry) { return entry.second == full; });
  if (found != names_.end()) return found->first;
  const auto dot = full.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string package = name_for(full.substr(0, dot));
  return package.empty() ? package : package + full.substr(dot);
}

ImportPlace import_place(const Node& root) {
  ImportPlace place;
  for (const Node& statement : root.children()) {
    const bool import = statement.is("import_statement") || statement.is("import_from_statement") ||
                        statement.is("future_import_statement");
    const bool text = statement.is("expression_statement") && !statement.children().empty() &&
                      statement.children().front().is("string");
    if (import || (text && place.offset == 0)) place = {statement.end(), import};
    if (statement.is("class_definition") || statement.is("function_definition") ||
        statement.is("decorated_definition"))
      break;
  }
  return place;
}

} // namespace model_validator::fixes
