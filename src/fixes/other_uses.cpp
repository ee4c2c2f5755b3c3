#include "fixes/other_uses.h"

#include "fixes/module_words.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace model_validator::fixes {
namespace {

/// Other code's ways to the module that a class keeps.
class ModuleUses {
public:
  ModuleUses(const std::string& attribute, const Node& method, SourceIndex& index)
      : attribute_(attribute), type_(method.around("class_definition")), index_(index),
        family_(index.family_of(type_)) {}

  std::vector<Node> find() {
    const std::string dotted = '.' + attribute_;
    add_uses(
        index_.roots_naming(attribute_, [&](auto text) { return is_used_outside(text, dotted); }));
    const auto quoted = [this](const char* before, const char* after) {
      return before + attribute_ + after;
    };
    const std::vector<std::string> names = {quoted("\"", "\""), quoted("'", "'"), quoted(".", "\""),
                                            quoted(".", "'")};
    for (const Node& root :
         index_.roots_naming(attribute_, [&](auto text) { return has_any_of(text, names); }))
      for (const Node& text : root.all("string"))
        if (is_its_name(text) && is_given_as_name(text)) found_.push_back(text);
    for (const Node& root : index_.roots_where(computes_names)) find_computed_names(root);
    return std::move(found_);
  }

private:
  static bool is_of_name(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
  }

  /// Whether a text uses an attribute of anything but `self`, other than to call it.
  static bool is_used_outside(std::string_view text, const std::string& dotted) {
    return any_place(text, dotted, [text](std::size_t at, std::size_t end) {
      const std::string_view before = text.substr(0, at);
      if (end < text.size() && (is_of_name(text[end]) || text[end] == '(')) return false;
      return !before.ends_with("self") && !before.ends_with("config");
    });
  }

  /// Whether a text may give attributes names that it computes, or get at them so.
  static bool computes_names(std::string_view text) {
    constexpr auto& reach =
        word_array<"exec( __setattr__( attrgetter( add_module( register_module( ._modules vars( "
                   "get_submodule( set_submodule(">;
    return has_any_of(text, reach) ||
           any_place(text, "setattr(", [text](std::size_t, std::size_t end) {
             return !text.substr(end).starts_with("self,");
           });
  }

  void add_uses(const std::vector<Node>& roots) {
    const auto add = [this](const Node& beneath) {
      for (const Node& use : beneath.identifiers(attribute_))
        if (is_named_field(use) && use.parent().is("attribute") && reaches(use.parent()) &&
            !contains(found_, use.parent()))
          found_.push_back(use.parent());
    };
    for (const Node& root : roots) add(root);
    for (const Node& type : index_.members_of(family_)) {
      add(type);
      find_computed_names(type);
    }
  }

  /// Whether it is more than a call, on something that may be an instance of the class.
  bool reaches(const Node& attribute) const {
    const Node object = attribute.field("object");
    if (attribute.parent().field("function") == attribute || holds_settings(object)) return false;
    if (!index_.imports_of(object).resolve(object.text()).empty()) return false;
    const Node around = attribute.around("class_definition");
    if (object.text() != "self" || !around) return true;
    // What the class itself does with it is looked at where it is edited.
    return name_of(around) != name_of(type_) && family_.classes.count(name_of(around)) != 0;
  }

  /// `"act"`, or `"block.act"`.
  bool is_its_name(const Node& text) const {
    const std::string name = literal_text(text).value_or("");
    return name == attribute_ || name.ends_with('.' + attribute_);
  }

  /// Whether a text is the name of something, and not one of the values that a setting may have:
  /// it is given to a function of attributes or of modules.
  static bool is_given_as_name(const Node& text) {
    Node around = text.parent();
    while (around.is("list") || around.is("tuple") || around.is("pair") || around.is("dictionary"))
      around = around.parent();
    if (around.is("subscript"))
      return around.field("value").text().find("modules") != std::string_view::npos;
    if (!around.is("argument_list")) return false;
    const std::string_view name = called_name(around.parent());
    const std::string_view whole = around.parent().field("function").text();
    return name.find("attr") != std::string_view::npos ||
           name.find("module") != std::string_view::npos || whole.ends_with("patch.object");
  }

  /// Whether what is given attributes there may be an instance of the class.
  bool may_be_instance(const Node& object) const {
    if (holds_settings(object)) return false;
    if (!index_.imports_of(object).resolve(object.text()).empty()) return false;
    const Node around = object.around("class_definition");
    return object.text() != "self" || !around || family_.classes.count(name_of(around)) != 0;
  }

  /// `exec("net.act = nn.Tanh()")`
  bool is_run_from_text(const Node& call) const {
    return call.field("function").text() == "exec" &&
           call.field("arguments").text().find(attribute_) != std::string_view::npos;
  }

  /// `nn.Module.__setattr__(net, …)`, unlike a class's own `super().__setattr__(…)`.
  bool is_setter_of_others(const Node& call) const {
    const Node around = call.around("class_definition");
    const bool own = call.field("function").field("object").text().starts_with("super()");
    return !own || !around || family_.classes.count(name_of(around)) != 0;
  }

  /// Whether a call may give an instance of the class an attribute by a name that it computes, or
  /// get at one so.
  bool computes_name(const Node& call) const {
    const std::string_view name = called_name(call);
    const auto given = call.field("arguments").children();
    const Node object = call.field("function").field("object");
    if (name == "__setattr__") return object && may_be_instance(object);
    if (given.empty()) return false;
    const bool is_spelt_out = literal_text(given.front()).has_value();
    if (contains({"add_module", "register_module", "set_submodule"}, name))
      return !is_spelt_out && may_be_instance(object);
    if (name == "attrgetter" || name == "get_submodule") return !is_spelt_out;
    if (name == "vars") return may_be_instance(given.front()) && call.parent().is("subscript");
    return name == "setattr" && given.size() == 3 && !literal_text(given[1]) &&
           may_be_instance(given.front());
  }

  void find_computed_names(const Node& root) {
    for (const Node& call : root.all("call"))
      if (computes_name(call) || is_run_from_text(call)) found_.push_back(call);
    for (const Node& attribute : root.all("attribute"))
      if (attribute.field("attribute").text() == "_modules" && !is_look_up_by_another(attribute) &&
          may_be_instance(attribute.field("object")))
        found_.push_back(attribute);
  }

  bool is_look_up_by_another(const Node& children) const {
    const Node name = children.parent().field("subscript");
    return name.is("string") && !is_its_name(name);
  }

  const std::string& attribute_;
  Node type_;
  SourceIndex& index_;
  const ClassFamily& family_;
  std::vector<Node> found_;
};

} // namespace

std::vector<Node> uses_of_module(const std::string& attribute, const Node& method,
                                 SourceIndex& index) {
  return ModuleUses(attribute, method, index).find();
}

} // namespace model_validator::fixes
