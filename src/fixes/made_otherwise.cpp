#include "fixes/made_otherwise.h"

#include "fixes/constructor_site.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace model_validator::fixes {
namespace {

/// By which a class takes part in how its instances are made, copied or given attributes.
constexpr std::array of_instances = {
    "__setattr__",   "__getattr__",       "__getattribute__", "__delattr__", "__new__",
    "__setstate__",  "__getstate__",      "__deepcopy__",     "__copy__",    "__reduce__",
    "__reduce_ex__", "__init_subclass__", "__dir__"};

bool is_of_instances(std::string_view name) {
  return name == "__init__" || name == "__class__" || contains(of_instances, name);
}

/// The class that code makes an instance of by `Net.__new__(Net)` or `net.__class__ = Net`, which
/// may be a variable.
bool may_be_class(const Node& given, const ClassFamily& family, SourceIndex& index) {
  const std::string name = class_behind(given, index.imports_of(given));
  const bool is_name = !name.empty() && std::isupper(static_cast<unsigned char>(name.front())) != 0;
  if (is_name) return name == "Module" || family.classes.count(name) != 0;
  const Node around = given.around("class_definition");
  return !around || family.classes.count(name_of(around)) != 0;
}

/// Whether a decorator of a name stands on a class of the family.
bool decorates(const Node& root, const std::string& name, const ClassFamily& family) {
  return std::ranges::any_of(root.all("decorator"), [&](const Node& decorator) {
    const Node type = undecorated(decorator.parent());
    return decorator.text().find(name) != std::string_view::npos && type.is("class_definition") &&
           family.members.count(key_of(type)) != 0;
  });
}

/// Whether code may give the class to a function of a name.
bool is_called_with_class(const Node& root, const std::string& name, const ClassFamily& family,
                          SourceIndex& index) {
  for (const Node& call : root.all("call")) {
    if (called_name(call) != name) continue;
    for (const Node& each : call.field("arguments").children())
      if (may_be_class(each, family, index)) return true;
  }
  return false;
}

/// Whether a variable may be the class: one that a function is given is what its callers give it.
bool may_be_given_class(const Node& given, const ClassFamily& family, SourceIndex& index) {
  const Node function = given.around("function_definition");
  if (!may_be_class(given, family, index)) return false;
  if (!function || given.around("class_definition") || !parameter_of(function, given.text()))
    return true;
  const std::string name = name_of(function);
  const auto roots = index.roots_naming(name, [](std::string_view) { return true; });
  return std::ranges::any_of(roots, [&](const Node& root) {
    return decorates(root, name, family) || is_called_with_class(root, name, family, index);
  });
}

/// `super().__new__`, `super(Net, cls).__new__`
bool is_of_super(const Node& attribute) {
  return attribute.field("object").text().starts_with("super(");
}

bool is_given_to(const Node& list, const ClassFamily& family, SourceIndex& index) {
  if (!list.is("tuple")) return true;
  return std::ranges::any_of(list.children(), [&](const Node& each) {
    return !(each.is("identifier") || each.is("attribute")) || may_be_class(each, family, index);
  });
}

/// Finds such code for one class.
class OtherMakers {
public:
  OtherMakers(const Node& type, SourceIndex& index)
      : type_(type), name_(name_of(type)), index_(index), family_(index.family_of(type)) {}

  std::vector<Node> find() {
    find_borrowed_methods();
    find_derived(name_);
    for (const Node& root : index_.roots_where(makes_otherwise)) {
      for (const Node& call : root.all("call")) look_at_call(call);
      for (const Node& attribute : root.all("attribute")) look_at_attribute(attribute);
    }
    for (const Node& type : index_.classes_of_any_base())
      if (is_made_its_own_way(type)) found_.push_back(type.field("name"));
    return std::move(found_);
  }

private:
  bool is_it(const Node& object) const {
    return last_name_of(object) == name_ ||
           (object.is("identifier") && class_behind(object, index_.imports_of(object)) == name_);
  }

  /// `forward = Net.forward`: methods of the class, for what need not be an instance of it.
  void find_borrowed_methods() {
    for (const Node& root :
         index_.roots_naming(name_, [this](auto text) { return handles(text); })) {
      for (const Node& use : root.all("attribute"))
        if (is_borrowed(use)) found_.push_back(use);
      for (const Node& call : root.all("call")) {
        const auto given = call.field("arguments").children();
        const bool asks = called_name(call) == "getattr" || called_name(call) == "vars";
        if (asks && !given.empty() && is_it(given.front())) found_.push_back(call);
      }
    }
  }

  /// Whether a text may ask the class for its methods, or give it another name.
  bool handles(std::string_view text) const {
    return any_place(text, name_, [text](std::size_t at, std::size_t end) {
      const std::string_view behind = text.substr(end);
      const auto line = text.rfind('\n', at) + 1;
      const std::string_view before = text.substr(line, at - line);
      return behind.starts_with('.') || behind.starts_with(" as ") || before.ends_with("= ") ||
             before.find("getattr(") != std::string_view::npos ||
             before.find("vars(") != std::string_view::npos;
    });
  }

  bool is_borrowed(const Node& use) const {
    const Node object = use.field("object");
    if (object.is("call") || use.parent().is("attribute") || !is_it(object)) return false;
    const std::string_view name = use.field("attribute").text();
    if (name == "__dict__") return true;
    const Node method = find_method(type_, name);
    const Node around = use.around("class_definition");
    return method && !method.parent().is("decorated_definition") && name != "__init__" &&
           !(use.parent().field("left") == use) &&
           !(around && family_.classes.count(name_of(around)) != 0 &&
             use.parent().field("function") == use);
  }

  /// Classes, in whatever file, that derive from a type without running its constructor.
  void find_derived(const std::string& name, int deepest = 8) {
    if (deepest == 0) return;
    for (const Node& other : index_.classes_deriving_from(name)) {
      if (name_of(other) == name) continue;
      for (const Node& base : other.field("superclasses").children())
        if (last_name_of(base) == name && !runs_init_of(other, base))
          found_.push_back(other.field("name"));
      find_derived(name_of(other), deepest - 1);
    }
  }

  /// A class that derives from any that a function is given.
  static bool is_made_its_own_way(const Node& type) {
    for (const char* each : of_instances)
      if (find_method(type, each)) return true;
    const auto bases = type.field("superclasses").children();
    return !runs_init_of(type, bases.front());
  }

  /// Whether a text may hold code of the following kinds.
  static bool makes_otherwise(std::string_view text) {
    for (const char* each : {".__new__", "new_class("})
      if (text.find(each) != std::string_view::npos) return true;
    return speaks_of_instances(text) || has_type_of_several(text);
  }

  /// `net.__class__ = …`, `"__init__"`
  static bool speaks_of_instances(std::string_view text) {
    constexpr std::string_view mark = "__";
    for (auto at = text.find(mark, 1); at != std::string_view::npos; at = text.find(mark, at)) {
      const auto end = std::min(text.find(mark, at + mark.size()), text.size() - mark.size());
      const auto next = end + mark.size();
      const char before = text[at - 1];
      const bool is_meant =
          before == '.' ? text.substr(next).starts_with(" =") : before == '"' || before == '\'';
      if (is_meant && next > at && is_of_instances(text.substr(at, next - at))) return true;
      at += mark.size();
    }
    return false;
  }

  /// `type(name, …`
  static bool has_type_of_several(std::string_view text) {
    return any_place(text, "type(", [text](std::size_t at, std::size_t end) {
      const auto next = text.find_first_of(",()", end);
      const bool is_whole =
          at == 0 || (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 &&
                      text[at - 1] != '_' && text[at - 1] != '.');
      return is_whole && next != std::string_view::npos && text[next] != ')';
    });
  }

  void look_at_call(const Node& call) {
    const std::string_view name = called_name(call);
    const auto given = call.field("arguments").children();
    const bool makes_class =
        (call.field("function").text() == "type" && given.size() == 3) || name == "new_class";
    if (makes_class && given.size() > 1 && is_given_to(given[1], family_, index_) &&
        !(given.size() == 3 && shows_its_names(given[2])))
      found_.push_back(call);
    if (given.size() > 1 && given[1].is("string") && sets_by_name(call) &&
        is_of_instances(literal_text(given[1]).value_or("")) && may_be_any(given.front()))
      found_.push_back(call);
  }

  /// `{"scale": 7}` on one line: such names are given to no module.
  static bool shows_its_names(const Node& members) {
    if (!members.is("dictionary") || members.parent().first_line() != members.parent().last_line())
      return false;
    return std::ranges::all_of(members.children(), [](const Node& each) {
      return each.is("pair") && each.field("key").is("string") &&
             !is_of_instances(literal_text(each.field("key")).value_or(""));
    });
  }

  static bool sets_by_name(const Node& call) {
    return called_name(call).find("attr") != std::string_view::npos ||
           call.field("function").text().ends_with("patch.object");
  }

  bool may_be_any(const Node& given) const {
    return given.text() != "self" && may_be_given_class(given, family_, index_);
  }

  /// `Net.__new__(Net)`, `make = object.__new__`, `net.__class__ = Net`, `Net.__init__ = light`
  void look_at_attribute(const Node& attribute) {
    const std::string_view name = attribute.field("attribute").text();
    if (!is_of_instances(name)) return;
    const Node around = attribute.parent();
    if (around.is("assignment") && around.field("left") == attribute) {
      const bool may_be = name == "__class__"
                              ? may_be_class(around.field("right"), family_, index_)
                              : may_be_given_class(attribute.field("object"), family_, index_);
      if (may_be) found_.push_back(around);
    } else if (name == "__new__" && !is_of_super(attribute))
      look_at_maker(attribute);
  }

  void look_at_maker(const Node& maker) {
    const Node around = maker.parent();
    const bool is_called = around.is("call") && around.field("function") == maker;
    const auto given = around.field("arguments").children();
    if (!is_called)
      found_.push_back(maker);
    else if (!given.empty() && may_be_class(given.front(), family_, index_))
      found_.push_back(around);
  }

  Node type_;
  std::string name_;
  SourceIndex& index_;
  const ClassFamily& family_;
  std::vector<Node> found_;
};

} // namespace

std::vector<Node> made_without_constructor(const Node& type, SourceIndex& index) {
  return OtherMakers(type, index).find();
}

std::string method_of_instances(const Node& type, SourceIndex& index) {
  const ClassFamily& family = index.family_of(type);
  for (const char* each : of_instances)
    if (family.methods.count(each) != 0) return each;
  return {};
}

} // namespace model_validator::fixes
