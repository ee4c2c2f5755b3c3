#include "fixes/other_uses.h"

#include "fixes/constructor_site.h"
#include "fixes/looks/child_words.h"
#include "fixes/looks/receivers.h"
#include "fixes/python/scope.h"

namespace model_validator::fixes {
namespace {

/// By convention, what holds settings and no modules.
bool holds_settings(const Node& object) {
  constexpr std::array known = {"config",  "cfg",     "conf",   "args",    "opt",  "opts",
                                "options", "hparams", "params", "setting", "self", "settings"};
  const std::string_view name = last_name_of(object);
  return contains(known, name) || name.ends_with("_config") || name.ends_with("_args") ||
         name.ends_with("context") || name == "ctx";
}

/// Whether an attribute of an attribute is one of modules: `net.act.inplace`, unlike
/// `config.act.lower`.
bool is_of_modules(std::string_view attribute) {
  return is_of_every_module(attribute) || is_of_some_plain_module(attribute);
}

/// Whether a function finds, gives or changes modules and attributes by their names:
/// `fuse_modules`, `setattr`, `mock.patch.object`.
bool takes_names(const Node& call) {
  const std::string_view name = called_name(call);
  const std::string_view whole = call.field("function").text();
  return name.find("attr") != std::string_view::npos ||
         name.find("module") != std::string_view::npos || whole.ends_with("patch.object");
}

/// Whether an expression is a number, or else may be one.
bool shows_number(const Node& value) {
  if (value.is("conditional_expression"))
    return shows_number(value.children().front()) || shows_number(value.children().back());
  return value.is("integer") || value.is("float");
}

/// Other code's ways to the module that a class keeps.
class ModuleUses {
public:
  ModuleUses(const std::string& attribute, const Node& method, SourceIndex& index)
      : attribute_(attribute), method_(name_of(method)), type_(method.around("class_definition")),
        index_(index), family_(index.family_of(type_)) {}

  Node find() {
    for (const Node& use : index_.uses_of(attribute_))
      if (is_named_field(use) && use.parent().is("attribute") && reaches(use.parent()))
        return use.parent();
    const auto quoted = [this](const char* before, const char* after) {
      return before + attribute_ + after;
    };
    for (const Node& root : index_.roots_with(
             {quoted("\"", "\""), quoted("'", "'"), quoted(".", "\""), quoted(".", "'")}))
      for (const Node& text : root.all("string"))
        if (is_its_name(text) && reaches_by_name(text)) return text;
    for (const Node& root : index_.roots_with({"setattr("}))
      if (const Node use = named_in(root); use && sets_named(root)) return use;
    return {};
  }

private:
  /// A class that has a method of its own in place of the one that is edited does not run it.
  bool runs_method(const Node& type) const {
    return family_.classes.count(name_of(type)) != 0 &&
           (name_of(type) == name_of(type_) || !find_method(type, method_));
  }

  bool may_be_instance(const Node& object) {
    if (!index_.imports_of(object).resolve(object.text()).empty() || is_torch(object)) return false;
    const Node around = object.around("class_definition");
    if (object.text() == "self" && around) return runs_method(around);
    const Receiver known = receiver_of_look(object, index_);
    return known.any || known.from_outside ||
           std::any_of(known.classes.begin(), known.classes.end(),
                       [&](const std::string& each) { return family_.classes.count(each) != 0; });
  }

  /// Whether it does more than call the module.
  bool reaches(const Node& attribute) {
    const Node object = attribute.field("object");
    const Node around = attribute.parent();
    if (around.field("function") == attribute) return false;
    const bool assigns = around.is("assignment") || around.is("augmented_assignment");
    const bool given = assigns && around.field("left") == attribute;
    const bool changed = around.is("attribute") || around.is("delete_statement");
    if (around.is("attribute") && !is_of_modules(around.field("attribute").text())) return false;
    if (object.text() == "self" && attribute.around("class_definition")) {
      const Node type = attribute.around("class_definition");
      // What the class itself does with it is looked at where it is edited.
      return runs_method(type) && name_of(type) != name_of(type_) && (given || changed);
    }
    const bool passed = around.is("argument_list") || around.is("keyword_argument") ||
                        around.field("right") == attribute;
    return (given || changed || passed) && !holds_settings(object) && may_be_instance(object);
  }

  /// `"act"`, or `"block.act"`.
  bool is_its_name(const Node& text) const {
    const std::string name = literal_text(text).value_or("");
    return name == attribute_ || name.ends_with('.' + attribute_);
  }

  bool reaches_by_name(const Node& text) {
    Node around = text.parent();
    while (around.is("list") || around.is("tuple")) around = around.parent();
    if (around.is("subscript"))
      return around.field("value").text().find("modules") != std::string_view::npos;
    if (!around.is("argument_list") || !takes_names(around.parent())) return false;
    const Node first = around.children().front();
    const Node object = around.parent().field("function").field("object");
    if (!first.contains(text)) return may_be_instance(first);
    return !object || may_be_instance(object);
  }

  /// Where code that sets attributes by names that it computes mentions this one.
  Node named_in(const Node& root) const {
    for (const Node& text : root.all("string"))
      if (is_its_name(text)) return text;
    for (const Node& given : root.all("keyword_argument"))
      if (given.field("name").text() == attribute_ && !shows_number(given.field("value")))
        return given;
    return {};
  }

  bool sets_named(const Node& root) {
    for (const Node& call : root.all("call")) {
      const auto arguments = call.field("arguments").children();
      if (call.field("function").text() == "setattr" && arguments.size() == 3 &&
          !arguments[1].is("string") && may_be_instance(arguments.front()))
        return true;
    }
    return false;
  }

  const std::string& attribute_;
  std::string method_;
  Node type_;
  SourceIndex& index_;
  const ClassFamily& family_;
};

/// `forward = Net.forward`: a method of the class, for what need not be an instance of it.
Node borrowed_method(const Node& type, const ClassFamily& family, SourceIndex& index) {
  const std::string name = name_of(type);
  for (const Node& root : index.roots_with({name + '.'}))
    for (const Node& use : root.all("attribute")) {
      const Node object = use.field("object");
      if (last_name_of(object) != name || object.is("call")) continue;
      const Node method = find_method(type, use.field("attribute").text());
      const Node around = use.around("class_definition");
      if (!method || method.parent().is("decorated_definition") || name_of(method) == "__init__" ||
          use.parent().is("attribute") || use.parent().field("left") == use ||
          (around && family.classes.count(name_of(around)) != 0 &&
           use.parent().field("function") == use))
        continue;
      return use;
    }
  return {};
}

/// A class, in whatever file, that derives from a type without running its constructor.
Node derived_without_constructor(const std::string& name, SourceIndex& index, int deepest = 8) {
  if (deepest == 0) return {};
  for (const Node& other : index.classes_deriving_from(name)) {
    if (name_of(other) == name) continue;
    for (const Node& base : other.field("superclasses").children())
      if (last_name_of(base) == name && !runs_init_of(other, base)) return other.field("name");
    if (const Node found = derived_without_constructor(name_of(other), index, deepest - 1))
      return found;
  }
  return {};
}

/// `Net.__new__(Net)`
Node made_without_constructor(const std::string& name, SourceIndex& index) {
  for (const Node& root : index.roots_with({"__new__("}))
    for (const Node& call : root.all("call")) {
      const auto arguments = call.field("arguments").children();
      if (called_name(call) == "__new__" && !arguments.empty() &&
          last_name_of(arguments.front()) == name)
        return call;
    }
  return {};
}

} // namespace

std::string use_of_module(const std::string& attribute, const Node& method, SourceIndex& index) {
  const Node use = ModuleUses(attribute, method, index).find();
  return use ? index.place_of(use) : std::string();
}

std::string instance_without_constructor(const Node& type, SourceIndex& index) {
  const ClassFamily& family = index.family_of(type);
  for (const char* each : {"__setattr__", "__getattr__", "__getattribute__", "__delattr__"})
    if (family.attributes.count(each) != 0)
      return std::string("`") + each + "` of its class or of a related one";
  Node found = borrowed_method(type, family, index);
  if (!found) found = derived_without_constructor(name_of(type), index);
  if (!found) found = made_without_constructor(name_of(type), index);
  return found ? index.place_of(found) : std::string();
}

} // namespace model_validator::fixes
