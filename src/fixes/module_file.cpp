#include "fixes/module_file.h"

#include "fixes/scope.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

constexpr const char* import_of_types = "from typing import ";

/// The file with an import of those types that it uses.
std::string import_types(std::string text) {
  std::string names;
  for (const char* name : {"List", "Optional"})
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
  for (const Node& type : all_of(tree.root(), "class_definition"))
    classes[name_of(type)] = std::string(type.text()) + '\n';
  return classes;
}

} // namespace

ModuleFile::ModuleFile(std::string text) : before_(std::move(text)), there_(classes_of(before_)) {}

bool ModuleFile::is_taken(const std::string& name, const ModuleClass& type) const {
  if (const auto there = there_.find(name); there != there_.end()) {
    ModuleClass same = type;
    same.name = name;
    return there->second != source_of(ways_of(same));
  }
  const auto wanted = wanted_.find(name);
  if (wanted == wanted_.end()) return false;
  const ModuleClass& first = wanted->second.front();
  return first.body != type.body || first.arguments.size() != type.arguments.size() ||
         first.open != type.open || first.variadic != type.variadic ||
         first.constructor != type.constructor;
}

std::string ModuleFile::want(const ModuleClass& type) {
  std::string name = type.name;
  for (int next = 2; is_taken(name, type); ++next) name = type.name + std::to_string(next);
  if (there_.count(name)) return name;
  ModuleClass named = type;
  named.name = name;
  std::vector<ModuleClass>& ways = wanted_[name];
  for (ModuleClass& way : ways_of(named))
    if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(std::move(way));
  return name;
}

std::string ModuleFile::with(const std::string& name) const {
  const auto wanted = wanted_.find(name);
  if (wanted == wanted_.end()) return {};
  const std::string source = "\n\n" + source_of(wanted->second);
  return before_.empty() ? import_types(module_file_head() + source) : source;
}

std::string ModuleFile::text() const {
  std::string text = before_.empty() ? module_file_head() : before_;
  for (const auto& [name, ways] : wanted_) text += "\n\n" + source_of(ways);
  return import_types(std::move(text));
}

} // namespace model_validator::fixes
