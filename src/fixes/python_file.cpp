#include "fixes/python_file.h"

#include <algorithm>
#include <array>

namespace model_validator::fixes {
namespace {

/// What every module has.
const std::set<std::string>& names_of_modules() {
  static const std::set<std::string> names = {
      "add_module",    "apply",      "bfloat16",     "buffers",    "children",   "compile",
      "cpu",           "cuda",       "double",       "eval",       "extra_repr", "float",
      "forward",       "half",       "ipu",          "load",       "modules",    "mtia",
      "named_buffers", "parameters", "share_memory", "state_dict", "to",         "to_empty",
      "train",         "training",   "type",         "xpu",        "zero_grad",  "print",
      "max",           "min",        "sum",          "abs",        "all",        "any",
      "pow",           "round"};
  return names;
}

bool is_related(const Node& type, const Node& other) {
  const Node bases = type.field("superclasses");
  if (!bases) return false;
  const std::string name = name_of(other);
  for (const Node& base : bases.children())
    if (base.text() == name) return true;
  return false;
}

std::string import_line(const std::string& package,
                        const std::map<std::string, std::string>& names) {
  std::string text;
  for (const auto& [name, alias] : names)
    text += (text.empty() ? "" : ", ") + name + (alias == name ? "" : " as " + alias);
  return package.empty() ? "import " + text : "from " + package + " import " + text;
}

} // namespace

PythonFile::PythonFile(SourceFiles::File file)
    : file_(std::move(file)), lines_(file_.text), tree_(file_.text), imports_(tree_.root()) {}

std::string_view PythonFile::line(int number) const {
  const std::string_view text = lines_.line(file_.text, number);
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

ClassChange& PythonFile::change_of(const Node& type) {
  const auto [entry, fresh] = classes_.try_emplace(type.begin());
  if (!fresh) return entry->second;
  for (const Node& other : all_of(root(), "class_definition"))
    if (other == type || is_related(type, other) || is_related(other, type))
      entry->second.names.merge(attributes_of(other));
  return entry->second;
}

std::string PythonFile::free_name(const Node& type, const std::string& name, int first_number) {
  ClassChange& change = change_of(type);
  std::string chosen = first_number > 1 ? name + '_' + std::to_string(first_number) : name;
  int& next = change.next.try_emplace(name, std::max(first_number, 1) + 1).first->second;
  while (change.names.count(chosen) || names_of_modules().count(chosen))
    chosen = name + '_' + std::to_string(next++);
  change.names.insert(chosen);
  return chosen;
}

bool PythonFile::is_defined(const std::string& name) const {
  if (imports_.has(name)) return true;
  const auto top = root().children();
  return std::any_of(top.begin(), top.end(), [&](const Node& statement) {
    const Node definition = undecorated(statement);
    return (definition.is("class_definition") || definition.is("function_definition")) &&
           name_of(definition) == name;
  });
}

std::string PythonFile::known_as(const Import& import) const {
  return imports_.name_for(import.package.empty() ? import.name
                                                  : import.package + '.' + import.name);
}

std::string PythonFile::alias_of(const std::string& name) const {
  return is_defined(name) ? name + "Module" : name;
}

std::string PythonFile::use(const Import& import) {
  if (std::string known = known_as(import); !known.empty()) return known;
  if (std::find(wanted_.begin(), wanted_.end(), import) == wanted_.end()) wanted_.push_back(import);
  return alias_of(import.name);
}

std::vector<TextEdit> PythonFile::import_edits(const std::vector<Import>& imports) const {
  std::map<std::string, std::map<std::string, std::string>> packages;
  for (const Import& import : imports)
    if (known_as(import).empty()) packages[import.package][import.name] = alias_of(import.name);
  if (packages.empty()) return {};
  const ImportPlace place = import_place(root());
  std::string text;
  for (const auto& [package, names] : packages) {
    const std::string line = import_line(package, names);
    text += place.offset == 0 ? line + '\n' : '\n' + line;
  }
  if (place.offset > 0 && !place.after_import) text.insert(0, "\n");
  std::size_t at =
      place.offset == 0 ? 0 : std::min(file_.text.find('\n', place.offset), file_.text.size());
  if (at > 0 && file_.text[at - 1] == '\r') --at;
  return {{at, at, text, 0}};
}

} // namespace model_validator::fixes
