#include "fixes/module_file.h"

#include "fixes/scope.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

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
    return there->second != source_of({same});
  }
  const auto wanted = wanted_.find(name);
  if (wanted == wanted_.end()) return false;
  const ModuleClass& first = wanted->second.front();
  return first.body != type.body || first.arguments.size() != type.arguments.size() ||
         first.open != type.open || first.constructor != type.constructor;
}

std::string ModuleFile::want(const ModuleClass& type) {
  std::string name = type.name;
  for (int next = 2; is_taken(name, type); ++next) name = type.name + std::to_string(next);
  if (there_.count(name)) return name;
  ModuleClass named = type;
  named.name = name;
  std::vector<ModuleClass>& ways = wanted_[name];
  if (std::find(ways.begin(), ways.end(), named) == ways.end()) ways.push_back(std::move(named));
  return name;
}

std::string ModuleFile::text() const {
  std::string text = before_.empty() ? module_file_head() : before_;
  bool lists = false;
  for (const auto& [name, ways] : wanted_) {
    const std::string source = source_of(ways);
    lists |= source.find("List[") != std::string::npos;
    text += "\n\n" + source;
  }
  constexpr const char* import_of_lists = "from typing import List\n\n";
  if (lists && text.find(import_of_lists) == std::string::npos)
    text.insert(text.find("import torch"), import_of_lists);
  return text;
}

} // namespace model_validator::fixes
