#include "fixes/child_flow.h"
#include "fixes/child_words.h"
#include "fixes/scope.h"

#include <cctype>

namespace model_validator::fixes {
namespace {

using Value = ChildValue;
using Kind = Value::Kind;

std::string_view operator_of(const Node& comparison) {
  for (const Node& token : comparison.tokens())
    for (const char* each : {"==", "!=", "is", "is not", "in", "not in", "<", ">", "<=", ">="})
      if (token.type() == each) return each;
  return {};
}

bool is_text(const Value& value) {
  return value.is(Kind::name) || value.is(Kind::path) || value.is(Kind::type_name);
}

bool is_class_name(std::string_view name) {
  constexpr std::array builtin = {"list", "tuple", "dict", "set", "str", "int", "float", "bool"};
  const auto letter = name.find_first_not_of('_');
  return contains(builtin, name) || (letter != std::string_view::npos &&
                                     std::isupper(static_cast<unsigned char>(name[letter])) != 0);
}

/// The function around a function, or its file; no node for a file.
Node scope_around(const Node& scope) {
  return scope.is("function_definition") ? scope_of(scope.parent()) : Node();
}

/// What a name is assigned, runs over, or is unless a caller says otherwise, in its function, or
/// else in its file.
std::vector<Node> given_in_file(const Node& name) {
  constexpr std::array ways = {std::tuple{"assignment", "left", "right"},
                               std::tuple{"for_statement", "left", "right"},
                               std::tuple{"for_in_clause", "left", "right"},
                               std::tuple{"default_parameter", "name", "value"},
                               std::tuple{"typed_default_parameter", "name", "value"}};
  std::vector<Node> given;
  for (Node scope = scope_of(name); given.empty() && scope; scope = scope_around(scope))
    for (const auto& [type, target, value] : ways)
      for (const Node& each : all_of(scope, type))
        if (each.field(target).text() == name.text() && each.field(value))
          given.push_back(each.field(value));
  return given;
}

/// The texts that an expression stands for, as far as its file shows them: those of a list, or of
/// what a loop or an assignment takes from one.
std::optional<std::vector<std::string>> texts_of(const Node& expression, int deepest = 4) {
  if (const auto text = literal_text(expression)) return std::vector{*text};
  if (deepest == 0) return std::nullopt;
  std::vector<Node> parts;
  if (expression.is("list") || expression.is("tuple") || expression.is("set"))
    parts = expression.children();
  else if (expression.is("identifier"))
    parts = given_in_file(expression);
  if (parts.empty()) return std::nullopt;
  std::vector<std::string> texts;
  for (const Node& part : parts) {
    const auto more = texts_of(part, deepest - 1);
    if (!more) return std::nullopt;
    texts.insert(texts.end(), more->begin(), more->end());
  }
  return texts;
}

/// What a variable may be by its annotation: `A | B` of `kind: type[A | B] = …`.
Node declared_classes(const Node& variable) {
  if (!variable.is("identifier")) return {};
  for (const Node& each : all_of(scope_of(variable), "assignment")) {
    const Node type = each.field("type");
    if (!type || each.field("left").text() != variable.text()) continue;
    const auto parts = type.children().front().children(); // `type` and `[A | B]`
    if (parts.size() == 2 && (parts[0].text() == "type" || parts[0].text() == "Type"))
      return parts[1].is("type_parameter") ? parts[1].children().front().children().front()
                                           : parts[1];
  }
  return {};
}

using Sequence = std::initializer_list<const char*>;

bool is_one_of(std::string_view text, Sequence texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

} // namespace

ChildFlow::Truth ChildFlow::holds(const Node& node, Turn& turn) {
  const auto negated = [](Truth truth) {
    return truth == Truth::unknown ? truth : truth == Truth::yes ? Truth::no : Truth::yes;
  };
  if (node.is("parenthesized_expression")) return holds(node.children().front(), turn);
  if (node.is("not_operator")) return negated(holds(node.field("argument"), turn));
  if (node.is("boolean_operator")) {
    const Truth decides = node.field("operator").text() == "and" ? Truth::no : Truth::yes;
    const Truth left = holds(node.field("left"), turn);
    if (left == decides) return left; // the rest does not run
    try {
      const Truth right = holds(node.field("right"), turn);
      return right == decides ? right : left == Truth::unknown ? left : right;
    } catch (const Fails&) {
      if (left != Truth::unknown) throw;
      return decides; // the left side is to keep such modules out
    }
  }
  if (node.is("comparison_operator") && node.children().size() == 2) return compare(node, turn);
  if (node.is("true")) return Truth::yes;
  if (node.is("false") || node.is("none")) return Truth::no;
  if (node.is("call"))
    if (const Truth truth = holds_call(node, turn); truth != Truth::unknown) return truth;
  const Value value = value_of(node, turn);
  if (value.is(Kind::empty) || (value.is(Kind::many) && value.parts.front().is(Kind::empty)))
    return Truth::no;
  return value.is(Kind::child) || is_text(value) ? Truth::yes : Truth::unknown;
}

ChildFlow::Truth ChildFlow::holds_call(const Node& call, Turn& turn) {
  const Node callee = call.field("function");
  const auto arguments = call.field("arguments").children();
  if (callee.text() == "isinstance") return is_instance(call, turn);
  if (callee.text() == "hasattr" && arguments.size() == 2 &&
      value_of(arguments.front(), turn).is(Kind::child))
    return has_attribute(arguments.back());
  if (!callee.is("attribute") || arguments.size() != 1) return Truth::unknown;
  const std::string_view method = callee.field("attribute").text();
  if (method != "startswith" && method != "endswith") return Truth::unknown;
  const Value name = value_of(callee.field("object"), turn);
  return is_text(name) ? compare_name(name, method, arguments.front()) : Truth::unknown;
}

ChildFlow::Truth ChildFlow::compare(const Node& comparison, Turn& turn) {
  const auto sides = comparison.children();
  std::string_view how = operator_of(comparison);
  const bool negates = is_one_of(how, {"!=", "is not", "not in"});
  const auto found = [negates](Truth truth) {
    if (truth == Truth::unknown || !negates) return truth;
    return truth == Truth::yes ? Truth::no : Truth::yes;
  };
  if (how == "not in") how = "in";
  if (is_one_of(how, {"is", "is not", "!="})) how = "==";
  const Value left = value_of(sides.front(), turn);
  const Value right = value_of(sides.back(), turn);
  if (left.is(Kind::empty) && is_one_of(sides.back().text(), {"0", "None", "[]"}))
    return how == "==" ? found(Truth::yes) : is_one_of(how, {"<=", ">="}) ? Truth::yes : Truth::no;
  if (!is_one_of(how, {"==", "in"})) return Truth::unknown;
  if (left.is(Kind::type) && how == "==")
    return note_types(sides.back()) ? found(Truth::no) : Truth::unknown;
  if (left.is(Kind::type) && sides.back().children().size() > 1)
    return note_types(sides.back()) ? found(Truth::no) : Truth::unknown;
  // It is new, so no variable of other code holds it.
  if (left.is(Kind::child) && !right.tracked()) return found(Truth::no);
  if (right.is(Kind::child) && !left.tracked() && how == "==") return found(Truth::no);
  if (is_text(left) && !right.tracked()) return found(compare_name(left, how, sides.back()));
  if (is_text(right) && !left.tracked()) // `"norm" in name`
    return found(compare_name(right, how == "in" ? "has" : how, sides.front()));
  return Truth::unknown;
}

/// Its name is one that no other code uses, and its class one that edits use. What a path begins
/// with is not known. Names that the source does not show are those of modules that callers know.
ChildFlow::Truth ChildFlow::compare_name(const Value& name, std::string_view how,
                                         const Node& other) {
  const bool of_class = name.is(Kind::type_name);
  if (is_copy_) {
    is_picked_ = is_picked_ || !of_class;
    return Truth::unknown;
  }
  const auto texts = texts_of(other);
  if (!texts) return of_class ? Truth::unknown : Truth::no;
  for (const std::string& each : *texts)
    if (const Truth truth = compare_text(name, how, each); truth != Truth::no) return truth;
  return Truth::no;
}

ChildFlow::Truth ChildFlow::compare_text(const Value& name, std::string_view how,
                                         const std::string& text) {
  const bool of_class = name.is(Kind::type_name);
  const bool equality = how == "==" || how == "in";
  if (text.empty()) return equality ? Truth::no : Truth::yes;
  if (equality) {
    (of_class ? demands_.types : demands_.names).insert(text.substr(text.rfind('.') + 1));
    return Truth::no;
  }
  if (name.is(Kind::name) && how == "startswith") {
    demands_.prefixes.insert(text);
    return Truth::no;
  }
  if (name.is(Kind::path) && (how != "endswith" || text.find('.') != std::string::npos))
    return Truth::unknown;
  (of_class ? demands_.type_parts : demands_.parts).insert(text);
  return Truth::no;
}

ChildFlow::Truth ChildFlow::is_instance(const Node& call, Turn& turn) {
  const auto arguments = call.field("arguments").children();
  if (arguments.size() != 2 || !value_of(arguments.front(), turn).is(Kind::child))
    return Truth::unknown;
  if (last_name_of(arguments.back()) == "Module") return Truth::yes;
  return note_types(arguments.back()) ? Truth::no : Truth::unknown;
}

/// Demands that it is of none of these classes. @returns whether they are known
bool ChildFlow::note_types(const Node& types) {
  if (is_copy_) return false;
  if (types.is("tuple") || types.is("list") || types.is("set") ||
      types.is("parenthesized_expression")) {
    bool known = true;
    for (const Node& each : types.children()) known = note_types(each) && known;
    return known;
  }
  if (types.is("binary_operator"))
    return note_types(types.field("left")) && note_types(types.field("right"));
  if (const Node declared = declared_classes(types)) return note_types(declared);
  if (!types.is("identifier") && !types.is("attribute")) return false;
  const std::string name(last_name_of(types));
  // A variable may hold any class.
  const bool fixed = types.is("attribute")
                         ? !types.text().starts_with("self.")
                         : !index_.imports_of(types).resolve(types.text()).empty();
  if (name == "Module" || (!(fixed && is_class_name(name)) && index_.classes_named(name).empty()))
    return false;
  demands_.types.insert(name);
  return true;
}

/// @param text  the name of the attribute
ChildFlow::Truth ChildFlow::has_attribute(const Node& text) {
  const auto name = literal_text(text);
  if (!name || is_of_every_module(*name) || is_copy_) return Truth::unknown;
  demands_.attributes.insert(*name);
  return Truth::no;
}

} // namespace model_validator::fixes
