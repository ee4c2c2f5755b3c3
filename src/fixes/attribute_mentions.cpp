#include "fixes/attribute_mentions.h"

#include "fixes/mention_words.h"
#include "fixes/module_words.h"
#include "fixes/python/imports.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace model_validator::fixes {
namespace {

/// What a value is for: `act` of `{"act": "relu"}` and `f(act="relu")`; what is called with it
/// first, and so for no network.
std::string_view purpose_of(const Node& value) {
  const Node around = value.parent();
  if (contains({"tuple", "list", "parenthesized_expression", "string"}, around.type()))
    return purpose_of(around);
  if (around.is("argument_list"))
    return around.children().front() == value ? called_name(around.parent()) : std::string_view();
  if (around.is("pair") && around.field("value") == value) {
    const std::string_view key = around.field("key").text();
    return key.size() > 2 ? key.substr(1, key.size() - 2) : key;
  }
  const Node name = around.field("name");
  return name == value ? std::string_view() : name.text();
}

/// `Activation("relu")`, `{"act": "gelu"}`: which function, not which attribute.
bool says_which_activation(const Node& text) {
  constexpr auto& words = word_array<"act activation nonlinearity non_linearity">;
  constexpr auto& ends = word_array<"_act _activation">;
  constexpr auto& starts = word_array<"act_ activation_">;
  std::string purpose(purpose_of(text));
  std::ranges::transform(purpose, purpose.begin(), [](unsigned char c) { return std::tolower(c); });
  if (purpose.ends_with("name")) return false; // it may be that of an attribute
  return contains(words, purpose) ||
         std::ranges::any_of(ends, [&](auto end) { return purpose.ends_with(end); }) ||
         std::ranges::any_of(starts, [&](auto start) { return purpose.starts_with(start); });
}

/// Names are given to these as texts.
constexpr auto& takers_of_names = word_array<"setattr getattr delattr">;
constexpr auto& takers_of_paths = word_array<"get_submodule set_submodule add_module">;

bool may_compute_names(std::string_view text) {
  constexpr std::array ways = {"_modules", "__dict__", "vars("};
  return has_any_of(text, takers_of_names) || has_any_of(text, takers_of_paths) ||
         has_any_of(text, ways);
}

/// `setattr(net, name, value)`, `net.get_submodule(path)`; not `getattr(nn, name)`, which is asked
/// for no attribute of a network.
bool computes_name(const Node& call, const Imports& imports) {
  const auto given = call.field("arguments").children();
  const std::string_view name = called_name(call);
  if (contains(takers_of_paths, name)) return !given.empty() && !given.front().is("string");
  return contains(takers_of_names, name) && given.size() > 1 && !given[1].is("string") &&
         !holds_settings(given[0]) && imports.resolve(given[0].text()).empty();
}

/// `net._modules[name]`, `vars(net)[name]`
bool is_at_computed_name(const Node& subscript) {
  const std::string_view value = subscript.field("value").text();
  return !subscript.field("subscript").is("string") &&
         (value.ends_with("._modules") || value.ends_with(".__dict__") ||
          value.starts_with("vars("));
}

/// `init.kaiming_normal_(w, nonlinearity="relu")`, `config["dropout"]`
bool is_word_of_settings(const Node& text, const Imports& imports) {
  const Node around = text.around("call");
  if (imports.resolve(around.field("function").text()).starts_with("torch.nn.init.")) return true;
  const Node subscript = text.parent().parent();
  if (subscript.is("subscript")) return holds_settings(subscript.field("value"));
  return called_name(around) == "get" && holds_settings(around.field("function").field("object"));
}

bool is_callee(const Node& use) { return use.parent().field("function") == use; }

bool is_in_constructor(const Node& use) {
  const Node function = use.around("function_definition");
  return function && name_of(function) == "__init__";
}

/// `for layer in self.layers`, `len(net.layers)`, `net.layers[0].weight`.
bool is_looked_at(const Node& modules) {
  const Node around = modules.parent();
  if (around.is("subscript")) return !is_changed(around) && !around.field("subscript").is("slice");
  if (around.is("argument_list"))
    return contains({"len", "zip", "enumerate", "reversed"}, called_name(around.parent()));
  return (around.is("for_statement") || around.is("for_in_clause")) &&
         around.field("right") == modules;
}

/// Whether modules are given to a function of the same file that only looks at them:
/// `last(net.layers)`, where that is `return layers[-1]`.
bool is_given_to_reader(const Node& modules) {
  const Node call = modules.parent().parent();
  const Node callee = call.field("function");
  if (!modules.parent().is("argument_list") || !callee.is("identifier")) return false;
  const Node function = function_of_file(callee);
  const auto given = call.field("arguments").children();
  if (std::ranges::any_of(given, [](const Node& each) { return each.is("list_splat"); }))
    return false;
  const auto parameters = function.field("parameters").children();
  const auto place = static_cast<std::size_t>(std::ranges::find(given, modules) - given.begin());
  if (place >= parameters.size() || !parameters[place].is("identifier")) return false;
  return std::ranges::all_of(
      function.field("body").identifiers(parameters[place].text()),
      [](const Node& use) { return use.parent().is("comparison_operator") || is_looked_at(use); });
}

/// `self.features`, which its class makes by `nn.Sequential()`.
bool is_made_of_torch(const Node& object, const Imports& imports) {
  const Node type = object.is("attribute") ? owner_of(object.field("object")) : Node();
  bool any = false;
  for (const Node& made : type.all("assignment")) {
    if (made.field("left").text() != object.text()) continue;
    any = true;
    if (!imports.resolve(made.field("right").field("function").text()).starts_with("torch.nn."))
      return false;
  }
  return any;
}

/// Finds what names an attribute.
class AttributeSearch {
public:
  AttributeSearch(const Touched& touched, SourceIndex& index)
      : touched_(touched), index_(index), family_(index.family_of(touched.type)) {}

  std::vector<Node> find() {
    for (const Node& root : index_.roots_naming(touched_.name)) {
      for (const Node& use : root.identifiers(touched_.name)) look_at(use);
      for (const Node& text : root.all("string_content"))
        if (is_name_of_it(text)) found_.push_back(text);
    }
    for (const Node& each : made_)
      if (!is_of_constructor(each)) found_.push_back(each);
    return std::move(found_);
  }

private:
  bool holds_modules() const { return touched_.kind == Touched::Kind::modules; }
  bool holds_value() const { return touched_.kind == Touched::Kind::value; }

  void look_at(const Node& use) {
    const Node around = use.parent();
    if (around.is("attribute") && around.field("attribute") == use)
      look_at_attribute(around);
    else if (is_given_by_name(use) || is_method(use))
      found_.push_back(use);
  }

  /// `vars(net).update(act=None)`
  static bool is_given_by_name(const Node& use) {
    const Node around = use.parent();
    return around.is("keyword_argument") && around.field("name") == use &&
           contains({"update", "multiple"}, called_name(around.around("call")));
  }

  bool is_method(const Node& use) {
    const Node function = use.parent();
    return function.is("function_definition") && function.field("name") == use &&
           !function.parent().around("function_definition") &&
           is_related(function.around("class_definition"));
  }

  void look_at_attribute(const Node& attribute) {
    const Node object = attribute.field("object");
    const Node owner = owner_of(object);
    if (owner ? !is_related(owner) : is_of_others(object)) return;
    if (owner && is_changed(attribute) && attribute.parent().is("assignment"))
      made_.push_back(attribute);
    else if (is_placed(attribute))
      return;
    else if (holds_value() ? is_changed(attribute)
                           : !is_callee(attribute) && !(holds_modules() && is_no_change(attribute)))
      found_.push_back(attribute);
  }

  /// Whether it stands in the constructor whose uses of it the edit itself looks at.
  bool is_placed(const Node& attribute) const {
    return (touched_.kind == Touched::Kind::shared || holds_modules()) &&
           is_in_constructor(attribute) && &touched_.type.source() == &attribute.source() &&
           touched_.type.contains(attribute);
  }

  /// `F.relu`, `config.dropout`
  bool is_of_others(const Node& object) {
    const Imports& imports = index_.imports_of(object);
    const std::string full = imports.resolve(object.text());
    return full.starts_with("torch") || full.starts_with("numpy") || holds_settings(object) ||
           is_made_of_torch(object, imports);
  }

  bool is_related(const Node& type) {
    if (!type) return false;
    const ClassFamily& other = index_.family_of(type);
    return std::ranges::any_of(
        other.members, [&](const ClassKey& each) { return family_.members.contains(each); });
  }

  static bool is_no_change(const Node& modules) {
    return is_looked_at(modules) || is_given_to_reader(modules);
  }

  /// Whether an assignment is the one that makes the attribute: all in one method of the class,
  /// `__init__` if that makes it, and in no other class.
  bool is_of_constructor(const Node& assigned) {
    return assigned.around("function_definition") == constructor();
  }

  Node constructor() const {
    Node own;
    for (const Node& each : made_) {
      const Node function = each.around("function_definition");
      if (!touched_.type.contains(each) || !(&touched_.type.source() == &each.source())) continue;
      if (!own || name_of(function) == "__init__") own = function;
    }
    return own || made_.empty() ? own : made_.front().around("function_definition");
  }

  /// `__all__ = ["act"]`, and `self.features.add_module("act", …)` of an `nn.Sequential`.
  bool is_name_of_others(const Node& text) {
    if (text.around("assignment").field("left").text() == "__all__") return true;
    const Node callee = text.around("call").field("function");
    return callee.field("attribute").text() == "add_module" && is_of_others(callee.field("object"));
  }

  /// Whether any code reaches attributes by names that it computes, so that each text may be one.
  bool computes_names() {
    if (!computes_names_)
      computes_names_ =
          std::ranges::any_of(index_.roots_where(may_compute_names), [this](const Node& root) {
            const Imports& imports = index_.imports_of(root);
            return std::ranges::any_of(
                       root.all("call"),
                       [&](const Node& call) { return computes_name(call, imports); }) ||
                   std::ranges::any_of(root.all("subscript"), is_at_computed_name);
          });
    return *computes_names_;
  }

  bool is_setting(const Node& text) {
    return is_word_of_settings(text, index_.imports_of(text)) ||
           (says_which_activation(text) && !computes_names());
  }

  bool is_name_of_it(const Node& text) {
    if (!is_like_name(text.text()) || text.parent().parent().is("expression_statement") ||
        is_name_of_others(text))
      return false;
    const bool wholly = text.text() == touched_.name;
    return (wholly || !(holds_modules() || holds_value())) &&
           any_whole_name(text.text(), touched_.name, [](auto, auto) { return true; }) &&
           !is_setting(text);
  }

  const Touched& touched_;
  SourceIndex& index_;
  const ClassFamily family_;
  std::optional<bool> computes_names_;
  std::vector<Node> found_;
  std::vector<Node> made_; ///< where the family's classes give the attribute something
};

} // namespace

std::vector<Node> attribute_mentions(const Touched& touched, SourceIndex& index) {
  return AttributeSearch(touched, index).find();
}

} // namespace model_validator::fixes
