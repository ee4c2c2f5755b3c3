#include "fixes/attribute_mentions.h"

#include "fixes/module_words.h"
#include "fixes/python/imports.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace model_validator::fixes {
namespace {

constexpr auto any_text = [](std::string_view) { return true; };

bool is_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// Whether a text holds a name, with no letter of another before or behind it.
/// @param is_meant  given what stands before and behind it
template <class Test>
bool any_whole_name(std::string_view text, const std::string& name, Test is_meant) {
  return any_place(text, name, [&](std::size_t at, std::size_t end) {
    return (at == 0 || !is_of_name(text[at - 1])) &&
           (end == text.size() || !is_of_name(text[end])) &&
           is_meant(text.substr(0, at), text.substr(end));
  });
}

/// Whether a text reads like a name, a path or a pattern of names: no sentence, and no option of a
/// command line.
bool is_like_name(std::string_view text) {
  return !text.starts_with('-') && text.find_first_of(" \n") == std::string_view::npos;
}

std::vector<Node> texts_of(const Node& root) {
  std::vector<Node> parts;
  for (const Node& text : root.all("string_content")) parts.push_back(text);
  return parts;
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

/// Whether it stands where something is given to it, or taken from it.
bool is_changed(const Node& use) {
  constexpr std::array givers = {"assignment", "augmented_assignment", "for_statement",
                                 "for_in_clause"};
  const Node around = use.parent();
  return around.is("delete_statement") ||
         (around.field("left") == use &&
          std::ranges::any_of(givers, [&](const char* kind) { return around.is(kind); }));
}

/// Finds what names an attribute.
class AttributeSearch {
public:
  AttributeSearch(const Touched& touched, SourceIndex& index)
      : touched_(touched), index_(index), family_(index.family_of(touched.type)) {}

  std::vector<Node> find() {
    for (const Node& root : index_.roots_naming(touched_.name, any_text)) {
      for (const Node& use : root.identifiers(touched_.name)) look_at(use);
      for (const Node& text : texts_of(root))
        if (is_name_of_it(text)) found_.push_back(text);
    }
    for (const Node& each : made_)
      if (!is_of_constructor(each)) found_.push_back(each);
    return std::move(found_);
  }

private:
  bool holds_modules() const { return touched_.kind == Touched::Kind::modules; }

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
    else if (!is_callee(attribute) && !(holds_modules() && is_only_read(attribute)))
      found_.push_back(attribute);
  }

  /// `F.relu`, `config.dropout`
  bool is_of_others(const Node& object) {
    const std::string full = index_.imports_of(object).resolve(object.text());
    return full.starts_with("torch") || full.starts_with("numpy") || holds_settings(object);
  }

  bool is_related(const Node& type) {
    if (!type) return false;
    const ClassFamily& other = index_.family_of(type);
    return std::ranges::any_of(
        other.members, [&](const ClassKey& each) { return family_.members.contains(each); });
  }

  /// `for layer in self.layers`, `len(net.layers)`, `net.layers[0].weight`; and what the
  /// constructor adds.
  static bool is_only_read(const Node& attribute) {
    const Node around = attribute.parent();
    const Node function = attribute.around("function_definition");
    if (function && name_of(function) == "__init__") return true;
    if (around.is("subscript"))
      return !is_changed(around) && !around.field("subscript").is("slice");
    if (around.is("argument_list"))
      return contains({"len", "zip", "enumerate", "reversed"}, called_name(around.parent()));
    return (around.is("for_statement") || around.is("for_in_clause")) &&
           around.field("right") == attribute;
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

  bool is_name_of_it(const Node& text) {
    if (!is_like_name(text.text()) || text.parent().parent().is("expression_statement"))
      return false;
    const bool wholly = text.text() == touched_.name;
    return (wholly || !holds_modules()) &&
           any_whole_name(text.text(), touched_.name, [](auto, auto) { return true; }) &&
           !is_word_of_settings(text, index_.imports_of(text));
  }

  const Touched& touched_;
  SourceIndex& index_;
  const ClassFamily family_;
  std::vector<Node> found_;
  std::vector<Node> made_; ///< where the family's classes give the attribute something
};

/// Whether a call replaces what a name stands for: `monkeypatch.setattr(F, "relu", own)`.
bool replaces(const Node& call) {
  const std::string_view callee = call.field("function").text();
  return callee.find("setattr") != std::string_view::npos ||
         callee.find("patch") != std::string_view::npos;
}

/// Whether code of a file replaces names that it computes: `setattr(F, name, own)`.
bool replaces_computed_names(const Node& root) {
  return std::ranges::any_of(root.all("call"), [](const Node& call) {
    const auto given = call.field("arguments").children();
    return called_name(call) == "setattr" && given.size() > 1 && !given[1].is("string") &&
           !owner_of(given.front());
  });
}

bool is_replaced_by_text(const Node& text, const std::string& name, bool computes_names) {
  if (!is_like_name(text.text())) return false;
  const bool dotted = text.text().ends_with('.' + name);
  if (text.text() != name) return dotted;
  const Node around = text.around("call");
  const Node subscript = text.parent().parent();
  return computes_names || replaces(around) || (subscript.is("subscript") && is_changed(subscript));
}

} // namespace

std::vector<Node> attribute_mentions(const Touched& touched, SourceIndex& index) {
  return AttributeSearch(touched, index).find();
}

std::vector<Node> function_mentions(const Touched& touched, SourceIndex& index) {
  std::vector<Node> found;
  for (const Node& root : index.roots_naming(touched.name, any_text)) {
    for (const Node& use : root.identifiers(touched.name)) {
      const Node attribute = use.parent();
      if (attribute.is("attribute") && attribute.field("attribute") == use &&
          (is_changed(attribute) || is_changed(attribute.parent())) &&
          !owner_of(attribute.field("object")))
        found.push_back(attribute);
    }
    const bool computes_names = replaces_computed_names(root);
    for (const Node& text : texts_of(root))
      if (is_replaced_by_text(text, touched.name, computes_names)) found.push_back(text);
  }
  return found;
}

bool is_mentioned_in(std::string_view line, const Touched& touched) {
  const bool of_function = touched.kind == Touched::Kind::function;
  if (touched.kind == Touched::Kind::type) return false;
  return any_whole_name(line, touched.name, [&](std::string_view before, std::string_view behind) {
    const auto next = behind.find_first_not_of(' ');
    const bool given = next != std::string_view::npos && behind.substr(next).starts_with('=') &&
                       !behind.substr(next).starts_with("==");
    const bool quoted = !before.empty() && contains({'"', '\''}, before.back());
    const bool patched = line.find("patch") != std::string_view::npos ||
                         line.find("setattr") != std::string_view::npos;
    const bool dotted = before.ends_with('.');
    if (of_function) return (dotted && given) || (patched && (quoted || dotted));
    return quoted || (dotted && !behind.starts_with('('));
  });
}

} // namespace model_validator::fixes
