#include "fixes/class_mentions.h"

#include "fixes/constructor_site.h"
#include "fixes/python/imports.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace model_validator::fixes {
namespace {

/// Finds such code for one class.
class ClassSearch {
public:
  ClassSearch(const Node& type, SourceIndex& index)
      : type_(type), name_(name_of(type)), index_(index) {}

  std::vector<Node> find() {
    for (const Node& root : index_.roots_naming(name_))
      for (const std::string& name : names_in(root))
        for (const Node& use : root.identifiers(name)) look_at(dotted(use));
    for (const Node& each : index_.members_of(index_.family_of(type_))) look_at_relative(each);
    for (const Node& each : index_.classes_of_any_base())
      for (const Node& base : each.field("superclasses").children())
        if (!runs_init_of(each, base)) found_.push_back(base);
    return std::move(found_);
  }

private:
  /// What a file calls the class: also `N` where it imports `Net as N`.
  std::vector<std::string> names_in(const Node& root) const {
    std::vector<std::string> names = {name_};
    for (const Node& import : root.all("aliased_import")) {
      const std::string_view full = import.field("name").text();
      if (last_part(full) == name_) names.emplace_back(import.field("alias").text());
    }
    return names;
  }

  /// `models.Net`, where a name is the last of these.
  static Node dotted(const Node& use) {
    const Node around = use.parent();
    return around.is("attribute") && around.field("attribute") == use ? around : use;
  }

  void look_at(const Node& use) {
    const Node around = use.parent();
    if (around.is("attribute") && around.field("object") == use) {
      if (borrows(around)) found_.push_back(around);
    } else if (becomes_class_of_other(use) || is_given_to_maker(use)) {
      found_.push_back(use);
    }
  }

  /// `Net.forward` for what need not be an instance: not `Net.load(…)` of a class method, and not
  /// `Net.forward(self, x)` in a class that derives from it.
  bool borrows(const Node& attribute) const {
    const std::string_view name = attribute.field("attribute").text();
    const Node around = attribute.around("class_definition");
    if (around && is_base_of(around)) return false;
    if (attribute.parent().field("left") == attribute || name == "__new__" || name == "__dict__")
      return true;
    const Node method = find_method(type_, name);
    return method && !method.parent().is("decorated_definition");
  }

  bool is_base_of(const Node& type) const {
    return std::ranges::any_of(type.field("superclasses").children(),
                               [this](const Node& base) { return last_name_of(base) == name_; });
  }

  /// `net.__class__ = Net`
  static bool becomes_class_of_other(const Node& use) {
    return use.parent().is("assignment") && use.parent().field("right") == use &&
           use.parent().field("left").text().ends_with(".__class__");
  }

  /// `object.__new__(Net)`, `type("Own", (Net,), {})`, `getattr(Net, "forward")`
  static bool is_given_to_maker(const Node& use) {
    constexpr std::array makers = {"__new__", "setattr", "getattr", "vars", "object", "patch"};
    const Node list = use.parent();
    if (list.is("tuple")) return called_name(list.parent().parent()) == "type";
    const bool makes_bare = use.source().find("object.__new__") != std::string::npos;
    return list.is("argument_list") && (makes_bare || contains(makers, called_name(list.parent())));
  }

  void look_at_relative(const Node& type) {
    if (const Node call = hands_itself_on(type)) found_.push_back(call);
    for (const Node& base : type.field("superclasses").children())
      if (last_name_of(base) == name_ && !runs_init_of(type, base)) found_.push_back(base);
  }

  Node type_;
  std::string name_;
  SourceIndex& index_;
  std::vector<Node> found_;
};

/// `m.__class__.__name__`, `str(type(m))`, `net.named_modules()`
bool asks_for_names(std::string_view text) {
  constexpr auto& ways = word_array<"__class__.__name__ ).__name__ _get_name( str(type( __class__) "
                                    "named_modules( named_children(">;
  return has_any_of(text, ways);
}

/// `name.find("Conv")`, `"Linear" in name`, `name in ("Conv2d", "Linear")`, `any(each in name for
/// each in ("conv", "linear"))`
bool is_compared(const Node& text) {
  constexpr auto& finders = word_array<"count endswith find index match search startswith">;
  Node around = text.parent();
  if (around.is("tuple") || around.is("list") || around.is("set")) around = around.parent();
  return around.is("comparison_operator") || around.is("for_in_clause") ||
         (around.is("argument_list") && contains(finders, called_name(around.parent())));
}

/// Not a letter or two, which are a part of any name.
constexpr std::size_t min_word = 3;

bool is_part_of(std::string_view word, const std::string& name) {
  std::string small = name;
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  return word.size() >= min_word &&
         (name.find(word) != std::string::npos || small.find(word) != std::string::npos);
}

} // namespace

std::vector<Node> name_mentions(const std::string& name, SourceIndex& index) {
  std::vector<Node> found;
  for (const Node& root : index.roots_where(asks_for_names))
    for (const Node& text : root.all("string_content"))
      if (is_part_of(text.text(), name) && is_compared(text.parent())) found.push_back(text);
  return found;
}

std::vector<Node> class_mentions(const Node& type, SourceIndex& index) {
  return ClassSearch(type, index).find();
}

} // namespace model_validator::fixes
