#include "fixes/python_file.h"

#include "fixes/function_class.h"
#include "fixes/new_imports.h"
#include "fixes/python/source_index.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// Names that every module has.
constexpr auto& names_of_modules = word_array<
    "add_module apply bfloat16 buffers children compile cpu cuda double eval extra_repr float "
    "forward half ipu load modules mtia named_buffers parameters share_memory state_dict to "
    "to_empty train training type xpu zero_grad print max min sum abs all any pow round">;

constexpr auto& assigning =
    word_array<"assignment augmented_assignment for_in_clause for_statement">;

bool is_pattern(const Node& node) {
  return node.is("pattern_list") || node.is("tuple_pattern") || node.is("list_pattern") ||
         node.is("list_splat_pattern") || node.is("dictionary_splat_pattern");
}

/// Whether what stands there is the name of a parameter, a variable, a function or a class.
bool is_given_something(const Node& child, const Node& around, bool around_is) {
  if (!around) return false;
  if (is_pattern(around)) return around_is;
  if (contains({"parameters", "lambda_parameters", "as_pattern_target"}, around.type()))
    return true;
  if (around.is("typed_parameter")) return around.children().front() == child;
  if (contains({"keyword_argument", "aliased_import"}, around.type())) return false;
  if (around.field("name") == child) return true;
  return contains(assigning, around.type()) && around.field("left") == child;
}

/// Names of a file: those that it uses, and those that mean what it makes itself.
struct Names {
  std::set<std::string, std::less<>> used;
  std::set<std::string, std::less<>> given;

  explicit Names(const Node& root) {
    std::vector<std::pair<Node, bool>> open = {{root, false}};
    while (!open.empty()) {
      const auto [node, is_given] = open.back();
      open.pop_back();
      for (const Node& child : node.children()) {
        const bool given_here = is_given_something(child, node, is_given);
        if (child.is("identifier"))
          add(child, node, given_here);
        else
          open.emplace_back(child, given_here);
      }
    }
  }

private:
  void add(const Node& name, const Node& around, bool is_given) {
    const bool bound = around.is("dotted_name") && around.parent().is("case_pattern");
    if ((around.is("dotted_name") && !bound) ||
        (around.is("attribute") && around.field("attribute") == name) ||
        (around.is("keyword_argument") && around.field("name") == name))
      return;
    used.emplace(name.text());
    if (is_given || bound) given.emplace(name.text());
  }
};

} // namespace

PythonFile::PythonFile(SourceFiles::File file)
    : file_(std::move(file)), lines_(file_.text), tree_(file_.text), imports_(tree_.root()) {
  Names names(root());
  names_ = std::move(names.used);
  given_names_ = std::move(names.given);
}

ClassChange& PythonFile::change_of(const Node& type) {
  const auto [entry, fresh] = classes_.try_emplace(type.begin());
  if (!fresh) return entry->second;
  for (const Node& other : root().all("class_definition"))
    if (other == type || derives_from(type, other) || derives_from(other, type))
      entry->second.names.merge(attributes_of(other));
  return entry->second;
}

bool PythonFile::mixes_dtypes() const {
  constexpr auto& others =
      word_array<"float64 .double( float16 bfloat16 .half( autocast complex torch.double">;
  return has_any_of(file_.text, others);
}

std::string PythonFile::free_name(const Node& type, const std::string& name, int first_number) {
  ClassChange& change = change_of(type);
  std::string chosen = first_number > 1 ? name + '_' + std::to_string(first_number) : name;
  int& next = change.next.try_emplace(name, std::max(first_number, 1) + 1).first->second;
  while (change.names.count(chosen) || contains(names_of_modules, chosen))
    chosen = name + '_' + std::to_string(next++);
  change.names.insert(chosen);
  return chosen;
}

std::pair<std::string, bool> PythonFile::attribute_for(const Node& type, const Node& call,
                                                       const std::string& name, int first_number) {
  const auto [given, fresh] = change_of(type).given.try_emplace(call.key());
  if (fresh) given->second = free_name(type, name, first_number);
  return {given->second, fresh};
}

const std::string& PythonFile::class_made_of(const Node& function) {
  const auto [made, fresh] = made_of_functions_.try_emplace(function.begin());
  if (!fresh) return made->second;
  const std::string wanted = class_name_for(function);
  std::string name = wanted;
  const auto is_taken = [this](const std::string& each) {
    return names_.count(each) != 0 || imports_.has(each) ||
           std::ranges::any_of(made_of_functions_,
                               [&](const auto& other) { return other.second == each; });
  };
  for (int next = 2; is_taken(name); ++next) name = wanted + std::to_string(next);
  return made->second = name;
}

std::string PythonFile::name_for(const std::string& full) const {
  std::string known = imports_.name_for(full);
  return given_names_.count(known.substr(0, known.find('.'))) != 0 ? std::string() : known;
}

std::string PythonFile::known_as(const Import& import) const {
  return name_for(import.package.empty() ? import.name : import.package + '.' + import.name);
}

std::string PythonFile::alias_of(const std::string& name) const {
  std::string alias = name;
  for (int next = 2; names_.count(alias) != 0 || imports_.has(alias); ++next)
    alias = name + "Module" + (next > 2 ? std::to_string(next) : "");
  return alias;
}

std::string PythonFile::use(const Import& import) const {
  if (std::string known = known_as(import); !known.empty()) return known;
  return alias_of(import.name);
}

std::vector<TextEdit> PythonFile::import_edits(const std::vector<Import>& imports) const {
  std::map<std::string, std::map<std::string, std::string>> packages;
  for (const Import& import : imports)
    if (known_as(import).empty()) packages[import.package][import.name] = alias_of(import.name);
  std::vector<ImportLine> lines;
  for (auto& [package, names] : packages) lines.push_back({package, std::move(names)});
  return new_imports(root(), lines);
}

} // namespace model_validator::fixes
