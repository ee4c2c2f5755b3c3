#include "fixes/child_turn.h"

#include "fixes/module_words.h"
#include "fixes/python/scope.h"
#include "validators/suggestions/torch_classes.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace model_validator::fixes {
namespace {

constexpr int max_depth = 4;

bool mentions(const Node& code, std::string_view name) {
  return !name.empty() && !code.identifiers(name).empty();
}

/// `type(m)`, `m.__class__`
bool is_class_of(const Node& node, const Turn& turn) {
  return node.text() == "type(" + turn.module + ')' || node.text() == turn.module + ".__class__";
}

/// `m.__class__.__name__`, or a variable that holds it.
bool is_class_name_of(const Node& node, const Turn& turn) {
  if (node.is("identifier")) return turn.class_names.count(std::string(node.text())) != 0;
  return node.is("attribute") && node.field("attribute").text().ends_with("name__") &&
         is_class_of(node.field("object"), turn);
}

/// `Conv` of `_ConvNd`: those that derive from such a class have it in their names.
std::string shared_name(std::string name) {
  if (name.starts_with('_')) name.erase(0, 1);
  if (name.ends_with("Nd")) name.resize(name.size() - 2);
  return name;
}

/// By convention: `MYNAMES` holds several, and `kind` is a variable.
bool is_name_of_class(const std::string& name, const std::string& full) {
  const auto is_lower = [](unsigned char letter) { return std::islower(letter) != 0; };
  const bool begins =
      std::isupper(static_cast<unsigned char>(name.front())) != 0 || name.front() == '_';
  return begins &&
         (full.starts_with("torch.nn.") || std::any_of(name.begin(), name.end(), is_lower));
}

/// Whether a class, or one of several, shows which modules it is of.
bool names_classes(const Node& given, const Imports& imports, Asked& asked) {
  if (given.is("tuple") || given.is("list") || given.is("set") ||
      given.is("parenthesized_expression")) {
    const auto each = given.children();
    return std::all_of(each.begin(), each.end(),
                       [&](const Node& one) { return names_classes(one, imports, asked); });
  }
  if (!given.is("identifier") && !given.is("attribute")) return false;
  const std::string name(last_name_of(given));
  std::string full = imports.resolve(given.text());
  if (full.empty() && given.text().starts_with("nn.")) full = "torch." + std::string(given.text());
  if (!is_name_of_class(name, full) || name == "Module") return false;
  if (full.starts_with("torch.nn.") && find_torch_class(name) && has_state(name)) return true;
  asked.classes.insert(shared_name(name));
  return true;
}

/// The texts of a condition about one name, and whether it asks about nothing else.
bool asks_only(const Node& condition, const auto& is_asked, std::set<std::string>& texts) {
  bool found = false;
  for (const Node& name : condition.all("identifier"))
    if (!is_asked(name) && !is_named_field(name)) return false;
  for (const Node& text : condition.all("string")) {
    const auto literal = literal_text(text);
    if (!literal || literal->empty()) return false;
    texts.insert(*literal);
    found = true;
  }
  return found;
}

bool is_negative(const Node& condition) {
  const std::string_view text = condition.text();
  return text.find("!=") != std::string_view::npos ||
         text.find("not in") != std::string_view::npos ||
         text.find("is not") != std::string_view::npos ||
         text.find("== -1") != std::string_view::npos || text.find("< 0") != std::string_view::npos;
}

/// `name == "fc"`, `"bn" in name`, `name.startswith("head")`; `find("Conv") != -1` of a class's.
bool asks_for_text(const Node& condition, const Turn& turn, Asked& asked) {
  const bool finds = condition.text().find(".find(") != std::string_view::npos &&
                     condition.text().ends_with("!= -1");
  if (is_negative(condition) && !finds) return false;
  const auto of_name = [&](const Node& each) {
    return !turn.name.empty() && each.text() == turn.name;
  };
  const auto of_class = [&](const Node& each) {
    return turn.class_names.count(std::string(each.text())) != 0 || each.text() == turn.module ||
           each.text() == "type";
  };
  std::set<std::string> texts;
  if (asks_only(condition, of_name, texts)) {
    asked.names.merge(texts);
    return true;
  }
  texts.clear();
  const auto parts = condition.all("attribute");
  const bool about_class =
      std::any_of(parts.begin(), parts.end(),
                  [&](const Node& each) { return is_class_name_of(each, turn); }) ||
      std::any_of(turn.class_names.begin(), turn.class_names.end(),
                  [&](const auto& each) { return mentions(condition, each); });
  if (!about_class || !asks_only(condition, of_class, texts)) return false;
  asked.classes.merge(texts);
  return true;
}

/// `len(list(m.children())) > 0`: what has children.
bool asks_for_children(const Node& condition, const Turn& turn) {
  const std::string children = "list(" + turn.module + ".children())";
  const std::string_view text = condition.text();
  return text == children || text == "len(" + children + ") > 0" ||
         text == "len(" + children + ") != 0" || text == "any(" + turn.module + ".children())";
}

bool asks_for_attribute(const Node& call, const Turn& turn) {
  const auto given = call.field("arguments").children();
  if (call.field("function").text() != "hasattr" || given.size() != 2 ||
      given.front().text() != turn.module)
    return false;
  const auto name = literal_text(given.back());
  return name && !is_of_every_module(*name) && !is_of_some_plain_module(*name);
}

bool compares_class(const Node& comparison, const Turn& turn, const Imports& imports,
                    Asked& asked) {
  const auto sides = comparison.children();
  return sides.size() == 2 && is_class_of(sides.front(), turn) && !is_negative(comparison) &&
         names_classes(sides.back(), imports, asked);
}

/// Follows the turn of a module through code.
class Reader {
public:
  Reader(const Imports& imports, Asked& asked) : imports_(imports), asked_(asked) {}

  bool block(const Node& block, Turn turn, bool in_function) {
    for (const Node& statement : block.children()) {
      if (statement.is("continue_statement")) return true;
      if (statement.is("return_statement")) return in_function && !mentions(statement, turn.module);
      if (is_guard(statement, turn)) return true;
      if (!this->statement(statement, turn, in_function)) return false;
    }
    return true;
  }

  bool function(const Node& function, std::size_t place) {
    const auto parameters = function.field("parameters").children();
    if (place >= parameters.size()) return false;
    if (!followed_.insert(function.key()).second) return true;
    if (followed_.size() > max_depth) return false;
    Turn turn;
    turn.module = name_of_parameter(parameters[place]).text();
    return block(function.field("body"), turn, true);
  }

private:
  /// `if not isinstance(m, nn.Conv2d): continue`
  bool is_guard(const Node& statement, const Turn& turn) {
    const Node condition = statement.field("condition");
    if (!statement.is("if_statement") || !condition.is("not_operator") ||
        !excludes(condition.field("argument"), turn, imports_, asked_))
      return false;
    const auto body = statement.field("consequence").children();
    return body.size() == 1 &&
           (body.front().is("continue_statement") || body.front().text() == "return");
  }

  bool statement(const Node& statement, Turn& turn, bool in_function) {
    if (statement.is("pass_statement")) return true;
    if (statement.is("if_statement")) return branches(statement, turn, in_function);
    if (statement.is("for_statement")) return loop(statement, turn, in_function);
    if (statement.is("with_statement")) return block(statement.field("body"), turn, in_function);
    if (!statement.is("expression_statement")) return false;
    const auto parts = statement.children();
    return std::all_of(parts.begin(), parts.end(),
                       [&](const Node& each) { return expression(each, turn); });
  }

  bool branches(const Node& statement, const Turn& turn, bool in_function) {
    if (!excludes(statement.field("condition"), turn, imports_, asked_) &&
        !block(statement.field("consequence"), turn, in_function))
      return false;
    for (const Node& other : statement.children()) {
      if (other.is("elif_clause") && !excludes(other.field("condition"), turn, imports_, asked_) &&
          !block(other.field("consequence"), turn, in_function))
        return false;
      if (other.is("else_clause") && !block(other.field("body"), turn, in_function)) return false;
    }
    return true;
  }

  /// The module has no weights, buffers and children that a loop would run over.
  bool loop(const Node& statement, const Turn& turn, bool in_function) {
    constexpr std::array empty = {"parameters",    "named_parameters", "buffers",
                                  "named_buffers", "children",         "named_children"};
    const Node over = statement.field("right");
    if (over.is("call") && over.field("function").field("object").text() == turn.module)
      return contains(empty, called_name(over));
    return !mentions(over, turn.module) && block(statement.field("body"), turn, in_function);
  }

  bool expression(const Node& node, Turn& turn) {
    if (node.is("string")) return true;
    if (node.is("call")) return is_output(node) || call(node, turn);
    if (!node.is("assignment")) return false;
    const Node left = node.field("left"), right = node.field("right");
    if (left.is("identifier") && right && is_class_name_of(right, turn)) {
      turn.class_names.emplace(left.text());
      return true;
    }
    // `rates[name]` and `m.weight` need not be there.
    if (!right || !is_same_each_turn(right) || mentions(right, turn.module) ||
        mentions(right, turn.name))
      return false;
    if (left.is("identifier")) return !mentions(right, left.text());
    if (left.field("object").text() != turn.module) return false;
    const std::string_view attribute = left.field("attribute").text();
    return attribute == "training" ||
           (!is_of_every_module(attribute) && !is_of_some_plain_module(attribute));
  }

  /// `next(rates)` and `rates.pop()` give each module another.
  static bool is_same_each_turn(const Node& value) { return value.all("call").empty(); }

  bool call(const Node& node, const Turn& turn) {
    constexpr std::array modes = {"eval",      "train",        "requires_grad_", "to",   "half",
                                  "float",     "double",       "bfloat16",       "cuda", "cpu",
                                  "zero_grad", "share_memory", "to_empty"};
    const Node callee = node.field("function");
    if (callee.field("object").text() == turn.module) return contains(modes, called_name(node));
    const auto given = node.field("arguments").children();
    const auto place = std::find_if(given.begin(), given.end(),
                                    [&](const Node& each) { return each.text() == turn.module; });
    const Node called = function_of_file(callee);
    if (place == given.end() || !called) return false;
    const std::size_t instance = callee.is("attribute") ? 1 : 0;
    return function(called, static_cast<std::size_t>(place - given.begin()) + instance);
  }

  const Imports& imports_;
  Asked& asked_;
  std::set<NodeKey> followed_;
};

} // namespace

bool excludes(const Node& condition, const Turn& turn, const Imports& imports, Asked& asked) {
  if (condition.is("parenthesized_expression"))
    return excludes(condition.children().front(), turn, imports, asked);
  if (condition.is("boolean_operator")) {
    const Node left = condition.field("left"), right = condition.field("right");
    const bool first = excludes(left, turn, imports, asked);
    if (condition.field("operator").text() == "and")
      return first || excludes(right, turn, imports, asked);
    return first && excludes(right, turn, imports, asked);
  }
  if (asks_for_children(condition, turn)) return true;
  if (condition.is("call") && condition.field("function").text() == "isinstance") {
    const auto given = condition.field("arguments").children();
    return given.size() == 2 && given.front().text() == turn.module &&
           names_classes(given.back(), imports, asked);
  }
  if (condition.is("call") && asks_for_attribute(condition, turn)) return true;
  if (condition.is("comparison_operator") && compares_class(condition, turn, imports, asked))
    return true;
  return (condition.is("call") || condition.is("comparison_operator")) &&
         asks_for_text(condition, turn, asked);
}

bool leave_alone(const Node& block, const Turn& turn, const Imports& imports, Asked& asked) {
  return Reader(imports, asked).block(block, turn, false);
}

bool leaves_alone(const Node& function, const Imports& imports, Asked& asked) {
  const std::size_t instance = function.around("class_definition") ? 1 : 0;
  return Reader(imports, asked).function(function, instance);
}

} // namespace model_validator::fixes
