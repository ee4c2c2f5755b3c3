#include "fixes/python/imports.h"

#include "fixes/python/scope.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// Whether a statement runs whenever the file is imported.
bool runs_on_import(const Node& statement) {
  for (Node around = statement.parent(); around; around = around.parent()) {
    if (around.is("function_definition") || around.is("class_definition")) return false;
    if (!around.is("if_statement")) continue;
    const std::string_view condition = around.field("condition").text();
    for (const char* each : {"TYPE_CHECKING", "__name__"})
      if (condition.find(each) != std::string_view::npos) return false;
  }
  return true;
}

std::string first_part(std::string_view dotted) {
  return std::string(dotted.substr(0, dotted.find('.')));
}

} // namespace

Imports::Imports(const Node& root) {
  for (const Node& statement : root.all("import_statement")) add_import(statement);
  for (const Node& statement : root.all("import_from_statement")) add_from(statement);
}

void Imports::add(const Node& statement, const std::string& name, std::string full) {
  if (runs_on_import(statement)) everywhere_[name] = full;
  names_[name] = std::move(full);
}

void Imports::add_import(const Node& statement) {
  for (const Node& child : statement.children()) {
    if (child.is("aliased_import"))
      add(statement, std::string(child.field("alias").text()),
          std::string(child.field("name").text()));
    else
      add(statement, first_part(child.text()), first_part(child.text()));
  }
}

void Imports::add_from(const Node& statement) {
  const Node module = statement.field("module_name");
  if (!module) return;
  for (const Node& child : statement.children()) {
    if (child == module) continue;
    const bool aliased = child.is("aliased_import");
    const Node name = aliased ? child.field("name") : child;
    add(statement, std::string((aliased ? child.field("alias") : child).text()),
        std::string(module.text()) + '.' + std::string(name.text()));
  }
}

std::string Imports::resolve(std::string_view dotted) const {
  const auto found = names_.find(first_part(dotted));
  if (found == names_.end()) return {};
  return found->second + std::string(dotted.substr(found->first.size()));
}

std::string Imports::name_for(const std::string& full) const {
  const auto found =
      std::ranges::find_if(everywhere_, [&](const auto& entry) { return entry.second == full; });
  if (found != everywhere_.end()) return found->first;
  const auto dot = full.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string package = name_for(full.substr(0, dot));
  return package.empty() ? package : package + full.substr(dot);
}

ImportPlace import_place(const Node& root) {
  const auto statements = root.children();
  if (statements.empty()) return {};
  const Node& first = statements.front();
  const bool text = first.is("expression_statement") && !first.children().empty() &&
                    first.children().front().is("string");
  if (text) return {first.end(), ImportPlace::Behind::text};
  // After what has to come first: a byte order mark, and a comment that declares the encoding.
  return {first.begin(), ImportPlace::Behind::nothing};
}

} // namespace model_validator::fixes
