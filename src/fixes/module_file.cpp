#include "fixes/module_file.h"

#include "fixes/python/scope.h"

namespace model_validator::fixes {
namespace {

constexpr const char* import_of_types = "from typing import ";

/// The file with an import of those types that it uses.
std::string import_types(std::string text) {
  std::string names;
  for (const char* name : {"List", "Optional", "Union"})
    if (text.find(std::string(name) + '[') != std::string::npos)
      names += (names.empty() ? "" : ", ") + std::string(name);
  const auto old = text.find(import_of_types);
  if (old != std::string::npos) text.erase(old, text.find("import torch", old) - old);
  if (!names.empty()) text.insert(text.find("import torch"), import_of_types + names + "\n\n");
  return text;
}

std::map<std::string, std::string> classes_of(const std::string& text) {
  const PythonTree tree(text);
  std::map<std::string, std::string> classes;
  for (const Node& type : tree.root().all("class_definition"))
    classes[name_of(type)] = std::string(type.text()) + '\n';
  return classes;
}

} // namespace

ModuleFile::ModuleFile(std::string text) : before_(std::move(text)), there_(classes_of(before_)) {}

bool ModuleFile::is_taken(const std::string& name, const ModuleClass& type) const {
  if (const auto there = there_.find(name); there != there_.end())
    return there->second != source_of(type);
  const auto wanted = wanted_.find(name);
  return wanted != wanted_.end() && wanted->second != type;
}

std::string ModuleFile::want(const ModuleClass& type,
                             const std::function<bool(const std::string&)>& is_taken_elsewhere) {
  ModuleClass named = type;
  for (int next = 2; is_taken(named.name, named) || is_taken_elsewhere(named.name); ++next)
    named.name = type.name + std::to_string(next);
  if (!there_.count(named.name)) wanted_.emplace(named.name, named);
  return named.name;
}

std::string ModuleFile::with(const std::string& name) const {
  const auto wanted = wanted_.find(name);
  if (wanted == wanted_.end()) return {};
  const std::string source = "\n\n" + source_of(wanted->second);
  return before_.empty() ? import_types(module_file_head() + source) : source;
}

std::string ModuleFile::text() const {
  std::string text = before_.empty() ? module_file_head() : before_;
  for (const auto& [name, type] : wanted_) text += "\n\n" + source_of(type);
  return import_types(std::move(text));
}

} // namespace model_validator::fixes
