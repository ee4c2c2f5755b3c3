#include "fixes/python/source_index.h"

#include "fixes/python/imports.h"
#include "fixes/python/scope.h"
#include "fixes/python/text_edit.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace model_validator::fixes {
namespace {

/// Of all files together.
constexpr std::size_t max_bytes = std::size_t{128} << 20;
constexpr std::size_t max_relatives = 200;

/// `Base` of `models.Base` and `Base[int]`.
std::string_view base_name(const Node& base) {
  return last_part((base.is("subscript") ? base.field("value") : base).text());
}

/// What a file gives a name by `B = Base`; no node where it does not.
Node renamed_in_file(const Node& name) {
  for (const Node& statement : name.tree().root().children())
    if (statement.is("expression_statement"))
      for (const Node& each : statement.children())
        if (each.is("assignment") && each.field("left").text() == name.text()) {
          const Node right = each.field("right");
          if (right.is("identifier") || right.is("attribute")) return right;
        }
  return {};
}

std::vector<Node> named_bases(const Node& type) {
  auto bases = type.field("superclasses").children();
  std::erase_if(bases, [](const Node& base) { return base.is("keyword_argument"); });
  return bases;
}

/// Whether all attributes of a base are known: those of torch's modules are the names that no
/// attribute is given.
bool is_known_base(const Node& base, const Imports& imports) {
  constexpr std::array plain = {"object", "ABC", "Generic", "Protocol", "Module"};
  const std::string full = imports.resolve(base.text());
  return full.starts_with("torch.nn.") || std::ranges::find(plain, base_name(base)) != plain.end();
}

/// The end of the name that begins there.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && is_of_name(text[at])) ++at;
  return at;
}

/// Whether a text has a class with bases that is not at its top level.
bool nests_classes(std::string_view text) {
  return any_place(text, "class ", [text](std::size_t at, std::size_t name) {
    const auto line = text.rfind('\n', at) + 1;
    return line < at && text.find_first_not_of(" \t", line) == at &&
           text.substr(end_of_name(text, name)).starts_with('(');
  });
}

/// Whether a name is a parameter or a variable of a function around a class.
bool is_given_to_function(const Node& base, const Node& type) {
  if (!base.is("identifier")) return false;
  for (Node function = type.around("function_definition"); function;
       function = function.around("function_definition")) {
    if (parameter_of(function, base.text())) return true;
    for (const Node& each : function.all("assignment"))
      if (each.field("left").text() == base.text()) return true;
  }
  return false;
}

/// Whether a name is set there, on anything but `self`: `.relu = `.
bool sets(std::string_view text, std::size_t dot, std::size_t end) {
  if (dot >= 4 && text.substr(dot - 4, 4) == "self") return false;
  while (end < text.size() && text[end] == ' ') ++end;
  return end + 1 < text.size() && text[end] == '=' && text[end + 1] != '=';
}

/// Whether `getattr(F, "relu")` asks a module of torch's functions.
bool asks_torch(std::string_view text, std::size_t receiver) {
  constexpr std::array torch = {"F,", "nn,", "torch,", "nn.functional,", "torch.nn.functional,"};
  return std::ranges::any_of(
      torch, [&](const char* each) { return text.substr(receiver).starts_with(each); });
}

void add_quoted(std::string_view line, std::set<std::string, std::less<>>& names) {
  for (std::size_t at = line.find_first_of("\"'"); at != std::string_view::npos;
       at = line.find_first_of("\"'", at + 1))
    if (const auto end = end_of_name(line, at + 1); end < line.size() && line[end] == line[at])
      names.emplace(line.substr(at + 1, end - at - 1));
}

/// The names of arguments: `relu` of `patch(net, relu=None)`.
void add_keywords(std::string_view text, std::set<std::string, std::less<>>& names) {
  for (auto at = text.find_first_of("(,"); at != std::string_view::npos;
       at = text.find_first_of("(,", at + 1)) {
    const auto begin = text.find_first_not_of(" \n", at + 1);
    const auto end = begin == std::string_view::npos ? begin : end_of_name(text, begin);
    if (end != std::string_view::npos && end > begin && end < text.size() && text[end] == '=')
      names.emplace(text.substr(begin, end - begin));
  }
}

/// The names that code gives attributes of anything but `self`, or by which it reaches them; all
/// texts of a file that gives names by texts.
void add_names_set_outside(std::string_view text, std::set<std::string, std::less<>>& names) {
  for (auto at = text.find('.'); at != std::string_view::npos; at = text.find('.', at + 1))
    if (const auto end = end_of_name(text, at + 1); end > at + 1 && sets(text, at, end))
      names.emplace(text.substr(at + 1, end - at - 1));
  for (const std::string_view by_name :
       {"attr(", "register_", "add_module(", "__dict__", "type('", "type(\""})
    for (auto at = text.find(by_name); at != std::string_view::npos;
         at = text.find(by_name, at + 1)) {
      if (asks_torch(text, at + by_name.size())) continue;
      add_quoted(line_around(text, at), names);
      if (by_name == "__dict__" || by_name.starts_with("type"))
        add_keywords(line_around(text, at), names);
    }
  constexpr std::array setters = {"setattr(", "add_module(", "register_module("};
  if (has_any_of(text, setters)) add_quoted(text, names);
  if (sets_computed_names(text)) add_keywords(text, names);
}

bool changes_mode(const Node& type) {
  if (find_method(type, "train") || find_method(type, "eval")) return true;
  const std::string_view text = type.text();
  return text.find(".eval()") != std::string_view::npos ||
         text.find(".train(") != std::string_view::npos;
}

/// Collects a family, class by class.
class Relatives {
public:
  explicit Relatives(SourceIndex& index) : index_(index) {}

  ClassFamily of(const Node& type) {
    add(type);
    go_up(type);
    go_down(type);
    return std::move(family_);
  }

private:
  bool add(const Node& type) {
    if (family_.members.size() > max_relatives || !family_.members.insert(key_of(type)).second)
      return false;
    family_.classes.insert(name_of(type));
    family_.attributes.merge(attributes_of(type));
    for (const Node& statement : type.field("body").children())
      if (const Node method = undecorated(statement); method.is("function_definition"))
        family_.methods.insert(name_of(method));
    family_.sets_mode = family_.sets_mode || changes_mode(type);
    return true;
  }

  /// The classes that a base may be: where its file has one, that.
  std::vector<Node> classes_behind(const Node& base, const Node& type, const Imports& imports) {
    std::vector<Node> all = index_.classes_named(class_behind(base, imports));
    const bool is_imported = !imports.resolve(base.text()).empty();
    const auto is_elsewhere = [&](const Node& each) { return !(&each.source() == &type.source()); };
    if (!is_imported && !std::ranges::all_of(all, is_elsewhere)) std::erase_if(all, is_elsewhere);
    return all;
  }

  /// For each base that is not torch's, the classes that it may be; none for one in no file.
  std::vector<std::vector<Node>> bases_in_files(const Node& type) {
    std::vector<std::vector<Node>> bases;
    const Imports& imports = index_.imports_of(type);
    for (const Node& base : named_bases(type))
      if (!is_known_base(base, imports)) bases.push_back(classes_behind(base, type, imports));
    return bases;
  }

  void go_up(const Node& type) {
    for (const auto& base : bases_in_files(type)) {
      family_.unseen_base = family_.unseen_base || base.empty();
      for (const Node& each : base)
        if (add(each)) go_up(each);
    }
  }

  bool may_derive_from(const Node& type, const Node& base) {
    return std::ranges::any_of(bases_in_files(type), [&](const std::vector<Node>& named) {
      return named.empty() || std::ranges::any_of(named, [&](const Node& each) {
               return key_of(each) == key_of(base);
             });
    });
  }

  void go_down(const Node& type) {
    for (const Node& each : index_.classes_deriving_from(name_of(type)))
      if (may_derive_from(each, type) && add(each)) {
        note_names_above(each);
        go_down(each);
      }
  }

  /// `class Own(Net, Mixin)`: an object has the attributes of both.
  void note_names_above(const Node& type) {
    for (const auto& base : bases_in_files(type))
      for (const Node& each : base) {
        const ClassKey key = key_of(each);
        if (family_.members.contains(key) || above_.size() > max_relatives) continue;
        if (!above_.insert(key).second) continue;
        family_.attributes.merge(attributes_of(each));
        note_names_above(each);
      }
  }

  SourceIndex& index_;
  ClassFamily family_;
  std::set<ClassKey> above_; ///< of classes that derive from the first
};

} // namespace

bool sets_computed_names(std::string_view text) {
  return any_place(text, "setattr(", [text](std::size_t, std::size_t object) {
    const auto comma = text.find(',', object);
    if (comma == text.npos || text.substr(object, comma - object) == "self") return false;
    const auto name = text.find_first_not_of(" \n", comma + 1);
    return name != text.npos && text[name] != '"' && text[name] != '\'';
  });
}

std::string class_behind(const Node& base, const Imports& imports) {
  Node named = base.is("subscript") ? base.field("value") : base;
  if (const Node other = renamed_in_file(named)) named = other;
  const std::string full = imports.resolve(named.text());
  return std::string(last_part(full.empty() ? named.text() : full));
}

const std::map<std::string, std::string>& SourceIndex::texts() {
  if (is_read_) return texts_;
  is_read_ = true;
  std::size_t left = max_bytes;
  for (const std::string& path : files_.all()) {
    auto text = files_.read(path);
    if (!text || text->size() > left) continue;
    left -= text->size();
    texts_.emplace(path, std::move(*text));
  }
  return texts_;
}

Node SourceIndex::root_of(const std::string& path) {
  auto& tree = trees_[path];
  if (!tree) tree = std::make_unique<PythonTree>(texts().at(path));
  return tree->well_formed() ? tree->root() : Node();
}

const Imports& SourceIndex::imports_of(const Node& node) {
  const auto known = imports_.find(&node.source());
  if (known != imports_.end()) return known->second;
  return imports_.emplace(&node.source(), node.tree().root()).first->second;
}

void SourceIndex::forget_files_of_plans() {
  std::set<const std::string*> own;
  for (const auto& [path, tree] : trees_)
    if (tree) own.insert(&tree->source());
  std::erase_if(imports_, [&own](const auto& known) { return own.count(known.first) == 0; });
}

std::string SourceIndex::path_of(const Node& node) const {
  for (const auto& [path, tree] : trees_)
    if (tree && &tree->source() == &node.source()) return path;
  return {};
}

std::vector<std::pair<std::string, const std::string*>>
SourceIndex::other_texts(const std::string& name) {
  if (!others_) others_ = files_.others();
  std::vector<std::pair<std::string, const std::string*>> found;
  for (const auto& [path, text] : *others_)
    if (text.find(name) != std::string::npos) found.emplace_back(path, &text);
  return found;
}

const std::vector<Node>& SourceIndex::roots_where(TextTest is_wanted) {
  const auto [entry, fresh] = roots_.try_emplace(is_wanted);
  if (!fresh) return entry->second;
  for (const auto& [path, text] : texts())
    if (is_wanted(text))
      if (const Node root = root_of(path)) entry->second.push_back(root);
  return entry->second;
}

const std::vector<const std::string*>& SourceIndex::paths_naming(const std::string& name) {
  if (paths_.empty())
    for (const auto& [path, text] : texts())
      for (std::size_t at = 0; at < text.size(); ++at) {
        const auto end = end_of_name(text, at);
        if (end == at) continue;
        auto& found = paths_[std::string_view(text).substr(at, end - at)];
        if (found.empty() || found.back() != &path) found.push_back(&path);
        at = end;
      }
  static const std::vector<const std::string*> none;
  const auto found = paths_.find(name);
  return found == paths_.end() ? none : found->second;
}

std::vector<Node>
SourceIndex::roots_naming(const std::string& name,
                          const std::function<bool(std::string_view text)>& is_wanted) {
  std::vector<Node> roots;
  for (const std::string* path : paths_naming(name))
    if (!is_wanted || is_wanted(texts().at(*path)))
      if (const Node root = root_of(*path)) roots.push_back(root);
  return roots;
}

template <typename Find>
const std::vector<Node>& SourceIndex::find_once(std::map<std::string, std::vector<Node>>& known,
                                                const std::string& name, const std::string& text,
                                                Find find) {
  const auto [entry, fresh] = known.try_emplace(name);
  if (fresh)
    for (const Node& root : roots_naming(
             name, [&text](std::string_view each) { return has_any_of(each, std::array{text}); }))
      find(root, entry->second);
  return entry->second;
}

const std::vector<Node>& SourceIndex::classes_named(const std::string& name) {
  return find_once(classes_, name, "class " + name,
                   [&](const Node& root, std::vector<Node>& found) {
                     for (const Node& type : root.all("class_definition"))
                       if (name_of(type) == name) found.push_back(type);
                   });
}

const std::vector<Node>& SourceIndex::classes_deriving_from(const std::string& name) {
  const auto [entry, fresh] = derived_.try_emplace(name);
  if (!fresh) return entry->second;
  const std::vector<std::string> ways = {'(' + name, '.' + name,    ", " + name,
                                         '"' + name, name + " as ", "= " + name};
  for (const Node& root :
       roots_naming(name, [&ways](std::string_view text) { return has_any_of(text, ways); }))
    for (const Node& type : root.all("class_definition"))
      for (const Node& base : named_bases(type))
        if (base_name(base) == name || class_behind(base, imports_of(root)) == name)
          entry->second.push_back(type);
  return entry->second;
}

const std::vector<Node>& SourceIndex::classes_of_any_base() {
  if (of_any_base_) return *of_any_base_;
  of_any_base_.emplace();
  for (const Node& root : roots_where(nests_classes))
    for (const Node& type : root.all("class_definition"))
      for (const Node& base : named_bases(type))
        if (is_given_to_function(base, type)) {
          of_any_base_->push_back(type);
          break;
        }
  return *of_any_base_;
}

const std::set<std::string>& SourceIndex::attributes_of_any() {
  if (attributes_of_any_) return *attributes_of_any_;
  attributes_of_any_.emplace();
  for (const Node& type : classes_of_any_base()) attributes_of_any_->merge(attributes_of(type));
  return *attributes_of_any_;
}

bool SourceIndex::is_name_of_file_with_star(const std::string& name) {
  return std::ranges::any_of(paths_naming(name), [this](const std::string* path) {
    return texts().at(*path).find("import *") != std::string::npos;
  });
}

std::vector<Node> SourceIndex::members_of(const ClassFamily& family) {
  std::vector<Node> members;
  for (const std::string& each : family.classes)
    for (const Node& type : classes_named(each))
      if (family.members.count(key_of(type)) != 0) members.push_back(type);
  return members;
}

Node SourceIndex::kept(const Node& type) {
  const auto& named = classes_named(name_of(type));
  const auto own = std::ranges::find_if(named, [&](const Node& each) {
    return each.key() == type.key() && each.source() == type.source();
  });
  return own == named.end() ? Node() : *own;
}

const ClassFamily& SourceIndex::family_of(const Node& type) {
  const Node own = kept(type);
  if (!own) return unknown_family_ = Relatives(*this).of(type);
  const auto [entry, fresh] = families_.try_emplace(key_of(own));
  if (fresh) entry->second = Relatives(*this).of(own);
  return entry->second;
}

bool SourceIndex::is_set_outside(const std::string& attribute) {
  if (!set_outside_) {
    set_outside_.emplace();
    for (const auto& [path, text] : texts()) add_names_set_outside(text, *set_outside_);
  }
  return set_outside_->count(attribute) != 0;
}

std::vector<Mention> SourceIndex::lines_where(TextTest is_wanted) {
  std::vector<Mention> found;
  for (const auto& [path, text] : texts()) add_lines_where(path, text, is_wanted, found);
  return found;
}

bool SourceIndex::has_line_with(std::string_view one, std::string_view other) {
  return std::ranges::any_of(texts(), [one, other](const auto& file) {
    return any_place(file.second, one, [&](std::size_t at, std::size_t) {
      return line_around(file.second, at).find(other) != std::string_view::npos;
    });
  });
}

} // namespace model_validator::fixes
