#include "fixes/looks/child_flow.h"
#include "fixes/looks/child_words.h"
#include "fixes/looks/function_references.h"
#include "fixes/python/scope.h"
#include "validators/suggestions/torch_classes.h"

#include <model_validator/data/contains.h>

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
      for (const Node& each : scope.all(type))
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
  else if (expression.is("dictionary"))
    for (const Node& each : expression.children()) parts.push_back(each.field("key"));
  else if (called_name(expression) == "compile") // `re.compile("relu|gelu")`
    parts = expression.field("arguments").children();
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
  for (const Node& each : scope_of(variable).all("assignment")) {
    const Node type = each.field("type");
    if (!type || each.field("left").text() != variable.text()) continue;
    const auto parts = type.children().front().children(); // `type` and `[A | B]`
    if (parts.size() == 2 && (parts[0].text() == "type" || parts[0].text() == "Type"))
      return parts[1].is("type_parameter") ? parts[1].children().front().children().front()
                                           : parts[1];
  }
  return {};
}

bool is_class_name(std::string_view name) {
  const auto letter = name.find_first_not_of('_');
  return letter != std::string_view::npos &&
         std::isupper(static_cast<unsigned char>(name[letter])) != 0;
}

/// What the callers of its function pass as a parameter.
std::vector<Node> given_by_callers(const Node& name, SourceIndex& index) {
  std::vector<Node> given;
  const Node function = scope_of(name);
  if (!function.is("function_definition")) return given;
  for (const Node& call : calls_of(function, index))
    if (const Node argument = argument_for(name.text(), call, function)) given.push_back(argument);
  return given;
}

/// Whether an expression names classes, or collects some.
bool shows_classes(const Node& expression) {
  if (expression.is("pair")) return shows_classes(expression.field("key"));
  if (expression.is("conditional_expression"))
    return shows_classes(expression.children().front()) &&
           shows_classes(expression.children().back());
  if (expression.is("tuple") || expression.is("list") || expression.is("set") ||
      expression.is("dictionary")) {
    const auto parts = expression.children();
    return std::all_of(parts.begin(), parts.end(), shows_classes);
  }
  return (expression.is("identifier") || expression.is("attribute")) &&
         is_class_name(last_name_of(expression));
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  return text;
}

bool is_like(const std::string& own, std::string_view how, const std::string& text) {
  if (how == "startswith") return own.starts_with(text);
  if (how == "endswith" && text.find('.') == std::string::npos) return own.ends_with(text);
  if (how == "has") return lower(own).find(lower(text)) != std::string::npos;
  return !text.empty() && own == text.substr(text.rfind('.') + 1);
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
    const bool before = turn.doubtful;
    turn.doubtful = before || left == Truth::unknown;
    const Truth right = holds(node.field("right"), turn);
    turn.doubtful = before;
    return right == decides ? right : left == Truth::unknown ? left : right;
  }
  if (node.is("comparison_operator") && node.children().size() == 2) return compare(node, turn);
  if (node.is("true")) return Truth::yes;
  if (node.is("false") || node.is("none")) return Truth::no;
  if (node.is("call"))
    if (const Truth truth = holds_call(node, turn); truth != Truth::unknown) return truth;
  const Value value = value_of(node, turn);
  if (value.is(Kind::empty) || (value.is(Kind::many) && value.parts.front().is(Kind::empty)))
    return Truth::no;
  return value.is(Kind::child) || value.is(Kind::truth) || value.is_text() ? Truth::yes
                                                                           : Truth::unknown;
}

ChildFlow::Truth ChildFlow::holds_call(const Node& call, Turn& turn) {
  const Node callee = call.field("function");
  const auto arguments = call.field("arguments").children();
  if (callee.is("attribute") && arguments.size() == 1) {
    const std::string_view method = callee.field("attribute").text();
    if (method != "startswith" && method != "endswith") return Truth::unknown;
    const Value name = value_of(callee.field("object"), turn);
    return name.is_text() ? compare_name(name, method, arguments.front()) : Truth::unknown;
  }
  if (arguments.size() != 2) return Truth::unknown;
  const std::string_view asks = callee.text();
  if (asks != "isinstance" && asks != "issubclass" && asks != "hasattr") return Truth::unknown;
  const Value value = value_of(arguments.front(), turn);
  if (!value.is(asks == "issubclass" ? Kind::type : Kind::child)) return Truth::unknown;
  if (asks != "hasattr") return is_of(arguments.back());
  const auto name = literal_text(arguments.back());
  if (!name || is_of_every_module(*name)) return Truth::unknown;
  return has(*name) ? Truth::yes : Truth::no;
}

ChildFlow::Truth ChildFlow::compare(const Node& comparison, Turn& turn) {
  const auto sides = comparison.children();
  std::string_view how = operator_of(comparison);
  const bool negates = contains({"!=", "is not", "not in"}, how);
  const auto found = [negates](Truth truth) {
    if (truth == Truth::unknown || !negates) return truth;
    return truth == Truth::yes ? Truth::no : Truth::yes;
  };
  if (how == "not in") how = "in";
  if (contains({"is", "is not", "!="}, how)) how = "==";
  const Value left = value_of(sides.front(), turn);
  const Value right = value_of(sides.back(), turn);
  if (left.is(Kind::empty) && contains({"0", "None", "[]"}, sides.back().text()))
    return how == "==" ? found(Truth::yes) : contains({"<=", ">="}, how) ? Truth::yes : Truth::no;
  if (!contains({"==", "in"}, how)) return Truth::unknown;
  if (left.is(Kind::type)) return found(is_of(sides.back()));
  // It is new, so no variable of other code holds it.
  if (left.is(Kind::child) && !right.tracked()) return found(Truth::no);
  if (right.is(Kind::child) && !left.tracked() && how == "==") return found(Truth::no);
  if (left.is_text() && !right.tracked()) return found(compare_name(left, how, sides.back()));
  if (right.is_text() && !left.tracked()) // `"norm" in name`
    return found(compare_name(right, how == "in" ? "has" : how, sides.front()));
  return Truth::unknown;
}

/// What a path begins with is not known. Texts that the file does not show are those of modules
/// that whoever gives them knows.
ChildFlow::Truth ChildFlow::compare_name(const Value& name, std::string_view how,
                                         const Node& other) {
  auto texts = texts_of(other);
  if (!texts) return Truth::no;
  const auto is = [&](const std::string& own) {
    return std::any_of(texts->begin(), texts->end(),
                       [&](const std::string& each) { return is_like(own, how, each); });
  };
  if (name.is(Kind::type_name)) {
    asked_.type = true;
    for (std::string& each : *texts) each = lower(each); // as code may do
    return is(lower(child_.type)) || (child_.is_list && is("modulelist")) ? Truth::yes : Truth::no;
  }
  asked_.name = true;
  if (name.is(Kind::path) && how == "startswith") return Truth::unknown;
  if (child_.copied.empty() || is(child_.name) == is(child_.copied)) {
    if (!is(child_.name)) return Truth::no;
    return name.is(Kind::path) && how != "has" ? Truth::unknown : Truth::yes;
  }
  is_picked_ = true;
  return Truth::unknown;
}

/// A pattern that has none of the name's words does not match it.
ChildFlow::Truth ChildFlow::matches_pattern(const Value& name, const Node& pattern) {
  const auto texts = texts_of(pattern);
  if (!texts) return Truth::no;
  (name.is(Kind::type_name) ? asked_.type : asked_.name) = true;
  const std::string own = lower(name.is(Kind::type_name) ? child_.type : child_.name);
  constexpr std::size_t part = 3;
  for (const std::string& text : *texts)
    for (std::size_t at = 0; at == 0 || at + part <= own.size(); ++at)
      if (lower(text).find(own.substr(at, part)) != std::string::npos) return Truth::unknown;
  return Truth::no;
}

/// Whether it is of a class, or of one of several. A variable may hold any that other code knows,
/// but not one that an edit writes.
ChildFlow::Truth ChildFlow::is_of(const Node& types) {
  if (types.is("tuple") || types.is("list") || types.is("set") || types.is("binary_operator") ||
      types.is("parenthesized_expression") || types.is("dictionary")) {
    Truth any = Truth::no;
    for (const Node& each : types.children()) {
      const Truth truth = is_of(each.is("pair") ? each.field("key") : each);
      if (truth == Truth::yes) return truth;
      if (truth == Truth::unknown) any = truth;
    }
    return any;
  }
  if (types.is("conditional_expression")) {
    const Truth one = is_of(types.children().front());
    return one == is_of(types.children().back()) ? one : Truth::unknown;
  }
  const Node declared = declared_classes(types);
  if (declared && last_name_of(declared) != "Module") return is_of(declared);
  asked_.type = true;
  const std::string name(last_name_of(types));
  if (types.is("identifier") && index_.imports_of(types).resolve(types.text()).empty() &&
      index_.classes_named(name).empty()) {
    auto given = given_in_file(types);
    for (const Node& each : given_by_callers(types, index_)) given.push_back(each);
    const bool shown = !given.empty() && std::all_of(given.begin(), given.end(), shows_classes);
    Truth any = Truth::no;
    for (const Node& each : given)
      if (shown && any != Truth::yes)
        if (const Truth truth = is_of(each); truth != Truth::no) any = truth;
    if (shown) return any;
  } else if (types.is("identifier") || (types.is("attribute") && is_class_name(name))) {
    return is_of(name) ? Truth::yes : Truth::no;
  }
  return is_written() ? Truth::no : Truth::unknown;
}

/// Whether its class is one that edits write, which no other code knows.
bool ChildFlow::is_written() const {
  return child_.copied.empty() && !child_.is_list && !find_torch_class(child_.type);
}

bool ChildFlow::is_of(std::string_view type) {
  constexpr std::array bases = {std::pair{"Dropout", "_DropoutNd"},
                                std::pair{"AlphaDropout", "_DropoutNd"},
                                std::pair{"FeatureAlphaDropout", "_DropoutNd"},
                                std::pair{"MaxPool", "_MaxPoolNd"},
                                std::pair{"AvgPool", "_AvgPoolNd"},
                                std::pair{"AdaptiveAvgPool", "_AdaptiveAvgPoolNd"},
                                std::pair{"AdaptiveMaxPool", "_AdaptiveMaxPoolNd"},
                                std::pair{"ReLU6", "Hardtanh"},
                                std::pair{"Upsampling", "Upsample"}};
  asked_.type = true;
  if (type == child_.type || type == "Module" || (child_.is_list && type == "ModuleList"))
    return true;
  for (const auto& [each, base] : bases)
    if (base == type && child_.type.starts_with(each)) return true;
  return family_.classes.count(std::string(type)) != 0;
}

/// Whether it may have an attribute that not all modules have.
bool ChildFlow::has(std::string_view attribute) {
  asked_.type = true;
  if (!family_.classes.empty()) return family_.attributes.count(std::string(attribute)) != 0;
  if (is_written()) return attribute == "axis";
  const TorchClass* type = find_torch_class(child_.type);
  return is_of_some_plain_module(attribute) &&
         (type ? takes(*type, attribute) : attribute != "inplace");
}

bool ChildFlow::depends_on_mode() {
  asked_.type = true;
  return child_.type.find("Dropout") != std::string::npos || child_.type == "RReLU";
}

} // namespace model_validator::fixes
