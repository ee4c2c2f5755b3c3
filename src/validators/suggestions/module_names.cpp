#include "validators/suggestions/module_names.h"

#include "text/places.h"

#include <algorithm>

namespace model_validator {
namespace {

std::string numbered(const std::string& name, std::size_t number) {
  return name + '_' + std::to_string(number);
}

} // namespace

ModuleNames::ModuleNames(const ConnectedGraph& graph) {
  for (const Module& module : graph.modules()) {
    paths_.insert(module.path);
    paths_.insert(module.aliases.begin(), module.aliases.end());
  }
  for (const Parameter& parameter : graph.parameters()) paths_.insert(parameter.path);
}

bool ModuleNames::taken(const std::string& parent, const std::string& name) const {
  return paths_.count(parent.empty() ? name : parent + '.' + name) != 0;
}

std::string ModuleNames::further(const std::string& parent, const std::string& name) {
  std::size_t& number = free_in_module_.try_emplace({parent, name}, 2).first->second;
  while (taken(parent, numbered(name, number))) ++number;
  return numbered(name, number);
}

std::string ModuleNames::for_call(const std::string& parent, const std::string& name,
                                  const SourceCall& call) {
  const std::size_t run = call.number % std::max<std::size_t>(call.count / call.runs, 1);
  const SourceLocation& place = call.place;
  const auto [given, fresh] =
      given_.try_emplace({call.class_name, place.file, place.line, place.column, name, run}, name);
  if (!fresh) return given->second;
  std::string& chosen = given->second;
  std::size_t& number = free_in_class_.try_emplace({call.class_name, name}, 2).first->second;
  while (taken(parent, chosen) || given_in_.count({call.class_name, chosen}) != 0)
    chosen = numbered(name, number++);
  given_in_.insert({call.class_name, chosen});
  return chosen;
}

std::string module_name_of(const std::string& operation) {
  static const std::set<std::string> functions = {"abs", "all", "any",   "max",
                                                  "min", "pow", "round", "sum"};
  return functions.count(operation) != 0 ? operation + "_op" : operation;
}

std::string in_init_of(const std::string& class_name) {
  const std::string name = short_class(class_name);
  return " in `" + (name.empty() ? name : name + '.') + "__init__`";
}

std::string assignment(const std::string& attribute, const std::string& value) {
  return "`self." + attribute + " = " + value + '`';
}

} // namespace model_validator
