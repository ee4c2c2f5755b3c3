#include "fixes/child_turn.h"

#include "fixes/module_words.h"
#include "fixes/python/scope.h"
#include "validators/suggestions/torch_classes.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <tuple>

namespace model_validator::fixes {
namespace {

constexpr int max_depth = 4;

bool mentions(const Node& code, std::string_view name) {
  return !name.empty() && !code.identifiers(name).empty();
}

/// Whether a variable holds the module.
bool holds(const Turn& turn, std::string_view variable) {
  return variable == turn.module || turn.others.count(std::string(variable)) != 0;
}

bool mentions(const Node& code, const Turn& turn) {
  return std::ranges::any_of(code.all("identifier"),
                             [&](const Node& each) { return holds(turn, each.text()); });
}

/// Whether code calls nothing that may give another result each time, and sets nothing.
bool only_asks(const Node& code) {
  constexpr auto& asking =
      word_array<"isinstance issubclass hasattr getattr type len list any str find lower split "
                 "startswith endswith children range enumerate zip items">;
  return code.all("named_expression").empty() &&
         std::ranges::all_of(code.all("call"),
                             [&](const Node& each) { return contains(asking, called_name(each)); });
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
  return begins && (full.starts_with("torch.nn.") || std::ranges::any_of(name, is_lower));
}

/// Whether a class, or one of several, shows which modules it is of.
bool names_classes(const Node& given, const Imports& imports, Asked& asked) {
  if (given.is("tuple") || given.is("list") || given.is("set") ||
      given.is("parenthesized_expression")) {
    return std::ranges::all_of(given.children(),
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
  const bool about_class =
      std::ranges::any_of(condition.all("attribute"),
                          [&](const Node& each) { return is_class_name_of(each, turn); }) ||
      std::ranges::any_of(turn.class_names,
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

/// `new is not m`, of a variable that holds the module as well.
bool asks_for_another(const Node& comparison, const Turn& turn) {
  const auto sides = comparison.children();
  return sides.size() == 2 && holds(turn, sides.front().text()) &&
         holds(turn, sides.back().text()) &&
         comparison.text().find(" is not ") != std::string_view::npos;
}

bool is_instance(const Node& call, const Turn& turn, const Imports& imports, Asked& asked) {
  const auto given = call.field("arguments").children();
  return call.field("function").text() == "isinstance" && given.size() == 2 &&
         given.front().text() == turn.module && names_classes(given.back(), imports, asked);
}

bool compares_class(const Node& comparison, const Turn& turn, const Imports& imports,
                    Asked& asked) {
  const auto sides = comparison.children();
  return sides.size() == 2 && is_class_of(sides.front(), turn) && !is_negative(comparison) &&
         names_classes(sides.back(), imports, asked);
}

/// Whether a statement is run for modules of some classes alone.
bool is_of_classes(const Node& statement, const Turn& turn, const Imports& imports, Asked& asked) {
  Node inside = statement;
  for (Node around = inside.parent(); !around.is("function_definition");
       inside = around, around = around.parent()) {
    const Node condition = around.field("condition");
    if (around.field("consequence") == inside && excludes(condition, turn, imports, asked) &&
        condition.field("function").text() == "isinstance")
      return true;
  }
  return false;
}

/// Whether a variable holds what a parameter of its function holds: it is the parameter, or
/// `new = m`. For modules of some classes it may hold another.
bool is_holder(const Node& variable, const std::string& parameter, const Imports& imports,
               Asked& asked) {
  const Node function = variable.around("function_definition");
  const Node known = parameter_of(function, parameter);
  if (!variable.is("identifier") || !known) return false;
  const bool is_parameter = variable.text() == parameter;
  bool is_same = is_parameter;
  for (const Node& use : function.identifiers(variable.text())) {
    if (!binds(use) || (is_parameter && known.contains(use))) continue;
    const Node given = use.parent();
    const bool is_plain = given.parent().parent() == function.field("body");
    const bool gives_same = is_plain && given.field("right").text() == parameter;
    if (!gives_same &&
        (!given.is("assignment") || !is_of_classes(given, {.module = parameter}, imports, asked)))
      return false;
    is_same = is_same || gives_same;
  }
  return is_same &&
         (is_parameter || is_holder(name_of_parameter(known), parameter, imports, asked));
}

/// What code that a module is followed through is.
enum class Code { loop, function, function_that_gives_it_back };

/// Follows the turn of a module through code.
class Reader {
public:
  Reader(const Imports& imports, Asked& asked) : imports_(imports), asked_(asked) {}

  bool block(const Node& block, Turn turn, Code code) {
    for (const Node& statement : block.children()) {
      if (statement.is("continue_statement")) return true;
      if (statement.is("return_statement")) return may_return(statement, turn, code);
      if (is_guard(statement, turn, code)) return true;
      if (!this->statement(statement, turn, code)) return false;
    }
    return true;
  }

  bool function(const Node& function, std::size_t place, Code code) {
    const auto parameters = function.field("parameters").children();
    const auto statements = function.field("body").children();
    if (has_failed_ || place >= parameters.size()) return false;
    if (code == Code::function_that_gives_it_back && !statements.back().is("return_statement"))
      return false;
    if (!followed_.emplace(function.key(), place, code).second) return true;
    Turn turn;
    turn.module = name_of_parameter(parameters[place]).text();
    if (followed_.size() > max_depth || !block(function.field("body"), turn, code))
      has_failed_ = true;
    return !has_failed_;
  }

private:
  bool may_return(const Node& statement, const Turn& turn, Code code) {
    const auto given = statement.children();
    if (code == Code::function_that_gives_it_back)
      return given.size() == 1 && is_module(given.front(), turn);
    return code == Code::function && !mentions(statement, turn) && only_asks(statement);
  }

  /// `if not isinstance(m, nn.Conv2d): continue`
  bool is_guard(const Node& statement, const Turn& turn, Code code) {
    const Node condition = statement.field("condition");
    if (!statement.is("if_statement") || !condition.is("not_operator") ||
        !excludes(condition.field("argument"), turn, imports_, asked_))
      return false;
    const auto body = statement.field("consequence").children();
    return body.size() == 1 &&
           (body.front().is("continue_statement") ||
            (body.front().is("return_statement") && may_return(body.front(), turn, code)));
  }

  bool statement(const Node& statement, Turn& turn, Code code) {
    if (statement.is("pass_statement")) return true;
    if (statement.is("delete_statement")) return statement.children().front().is("identifier");
    if (statement.is("if_statement")) return branches(statement, turn, code);
    if (statement.is("for_statement")) return loop(statement, turn, code);
    if (statement.is("with_statement"))
      return statement.children().front().text() == "torch.no_grad()" &&
             block(statement.field("body"), turn, code);
    if (!statement.is("expression_statement")) return false;
    return std::ranges::all_of(statement.children(),
                               [&](const Node& each) { return expression(each, turn); });
  }

  bool branches(const Node& statement, const Turn& turn, Code code) {
    std::vector<Node> ways = statement.children();
    std::erase_if(ways, [](const Node& each) { return !each.type().ends_with("_clause"); });
    ways.insert(ways.begin(), statement);
    return std::ranges::all_of(ways, [&](const Node& way) {
      if (way.is("else_clause")) return block(way.field("body"), turn, code);
      const Node condition = way.field("condition");
      return only_asks(condition) && (excludes(condition, turn, imports_, asked_) ||
                                      block(way.field("consequence"), turn, code));
    });
  }

  /// The module has no weights, buffers and children that a loop would run over.
  bool loop(const Node& statement, const Turn& turn, Code code) {
    constexpr std::array empty = {"parameters",    "named_parameters", "buffers",
                                  "named_buffers", "children",         "named_children"};
    const Node over = statement.field("right");
    if (statement.children().back().is("else_clause")) return false;
    if (over.is("call") && over.field("function").field("object").text() == turn.module)
      return contains(empty, called_name(over));
    return !mentions(over, turn) && only_asks(over) && sets_none(statement.field("left"), turn) &&
           block(statement.field("body"), turn, code);
  }

  /// Whether a target is none of the variables that the turn is told by.
  static bool sets_none(const Node& target, const Turn& turn) {
    return !mentions(target, turn) && !mentions(target, turn.name) &&
           turn.class_names.count(std::string(target.text())) == 0;
  }

  bool expression(const Node& node, Turn& turn) {
    if (node.is("string")) return true;
    if (node.is("call")) return is_output(node) || call(node, turn);
    return node.is("assignment") && assignment(node.field("left"), node.field("right"), turn);
  }

  bool assignment(const Node& left, const Node& right, Turn& turn) {
    if (!right) return false;
    if (left.is("identifier")) {
      if (!sets_none(left, turn)) return false;
      const bool is_class_name = is_class_name_of(right, turn);
      if (is_class_name || is_module(right, turn)) {
        (is_class_name ? turn.class_names : turn.others).emplace(left.text());
        return is_of_one_turn(left);
      }
    }
    // `rates[name]` and `m.weight` need not be there.
    if (!is_same_each_turn(right) || mentions(right, turn) || mentions(right, turn.name))
      return false;
    if (left.is("identifier")) return !mentions(right, left.text());
    if (left.field("object").text() != turn.module) return false;
    const std::string_view attribute = left.field("attribute").text();
    return attribute == "training" ||
           (!is_of_every_module(attribute) && !is_of_some_plain_module(attribute));
  }

  /// Whether what one turn gives a variable is read by no other turn, and by nothing behind them.
  static bool is_of_one_turn(const Node& variable) {
    const Node loop = variable.around("for_statement");
    return !loop || (statement_of(variable).parent() == loop.field("body") &&
                     std::ranges::all_of(
                         scope_of(variable).identifiers(variable.text()), [&](const Node& use) {
                           return is_named_field(use) ||
                                  (loop.contains(use) && use.begin() >= variable.begin());
                         }));
  }

  /// `next(rates)` and `rates.pop()` give each module another.
  static bool is_same_each_turn(const Node& value) {
    return value.all("call").empty() && value.all("named_expression").empty();
  }

  /// Whether an expression gives the module, and nothing else happens.
  bool is_module(const Node& value, const Turn& turn) {
    return value.is("identifier") ? holds(turn, value.text())
                                  : follow(value, turn, Code::function_that_gives_it_back);
  }

  bool call(const Node& node, const Turn& turn) {
    constexpr std::array modes = {"eval",      "train",        "requires_grad_", "to",   "half",
                                  "float",     "double",       "bfloat16",       "cuda", "cpu",
                                  "zero_grad", "share_memory", "to_empty"};
    if (node.field("function").field("object").text() == turn.module)
      return contains(modes, called_name(node));
    return puts_back(node, turn) || follow(node, turn, Code::function);
  }

  /// `net.add_module(name, m)`, `setattr(net, name, m)`
  bool puts_back(const Node& call, const Turn& turn) {
    auto given = call.field("arguments").children();
    const bool sets = call.field("function").text() == "setattr" && given.size() == 3;
    const Node to = sets ? given.front() : call.field("function").field("object");
    if (sets) given.erase(given.begin());
    if ((!sets && called_name(call) != "add_module") || given.size() != 2 || turn.name.empty() ||
        given.front().text() != turn.name)
      return false;
    asked_.puts_back = true;
    return is_module(given.back(), turn) && is_holder(to, turn.holder, imports_, asked_);
  }

  /// Into a function of the file that is called with the module.
  bool follow(const Node& call, const Turn& turn, Code code) {
    const Node callee = call.field("function");
    const auto given = call.field("arguments").children();
    const auto place =
        std::ranges::find_if(given, [&](const Node& each) { return each.text() == turn.module; });
    const Node called = known_function(callee);
    if (place == given.end() || !called || !std::ranges::all_of(given, only_asks)) return false;
    const std::size_t instance = callee.is("attribute") ? 1 : 0;
    return function(called, static_cast<std::size_t>(place - given.begin()) + instance, code);
  }

  const Imports& imports_;
  Asked& asked_;
  std::set<std::tuple<NodeKey, std::size_t, Code>> followed_;
  bool has_failed_ = false; ///< one of these does more
};

} // namespace

bool excludes(const Node& condition, const Turn& turn, const Imports& imports, Asked& asked) {
  if (!only_asks(condition)) return false;
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
  if (condition.is("call"))
    return is_instance(condition, turn, imports, asked) || asks_for_attribute(condition, turn) ||
           asks_for_text(condition, turn, asked);
  return condition.is("comparison_operator") &&
         (asks_for_another(condition, turn) || compares_class(condition, turn, imports, asked) ||
          asks_for_text(condition, turn, asked));
}

bool leave_alone(const Node& block, const Turn& turn, const Imports& imports, Asked& asked) {
  return Reader(imports, asked).block(block, turn, Code::loop);
}

bool leaves_alone(const Node& function, const Imports& imports, Asked& asked) {
  const std::size_t instance = function.around("class_definition") ? 1 : 0;
  return Reader(imports, asked).function(function, instance, Code::function);
}

} // namespace model_validator::fixes
