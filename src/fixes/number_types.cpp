#include "fixes/number_types.h"

#include "fixes/module_class.h"
#include "fixes/module_words.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>

namespace model_validator::fixes {
namespace {

constexpr Numbers whole_number = {.whole = true};
constexpr Numbers fraction = {.fractional = true};
constexpr Numbers no_number = {.other = true};

/// Names that stand for names, and so on, are followed this far.
constexpr int max_depth = 5;
/// In longer code names would be searched for too long, and stand for nothing.
constexpr std::size_t max_searched_size = 30'000;

Numbers numbers_of(const Node& node, int depth);

/// Whether a name is one that the file imports from anything but torch.
bool is_given_by_import(const Node& name) {
  for (const Node& statement : name.tree().root().all("import_from_statement")) {
    const std::string_view module = statement.field("module_name").text();
    if (module == "torch" || module.starts_with("torch.")) continue;
    for (const Node& each : statement.children())
      if (!(each == statement.field("module_name")) &&
          (each.is("aliased_import") ? each.field("alias") : each).text() == name.text())
        return true;
  }
  return false;
}

Numbers either(const Numbers& one, const Numbers& other) {
  return {one.whole || other.whole, one.fractional || other.fractional, one.other || other.other};
}

Numbers computed(std::string_view sign, const Numbers& left, const Numbers& right) {
  if (sign == "@" || !left.any() || !right.any()) return no_number;
  Numbers result = {.other = left.other || right.other};
  result.whole = sign != "/" && left.whole && right.whole;
  result.fractional = sign == "/" || sign == "**" || left.fractional || right.fractional;
  return result;
}

/// Whether a name is a parameter that is declared as whole numbers: `size: List[int]`.
bool are_declared_whole(const Node& name) {
  constexpr auto& lists = word_array<"List[int] list[int] Sequence[int] torch.Size">;
  const Node parameter = parameter_of(name.around("function_definition"), name.text());
  const std::string_view type = parameter.field("type").text();
  const bool is_tuple = type.starts_with("Tuple[") || type.starts_with("tuple[");
  return contains(lists, type) ||
         (is_tuple &&
          type.find_first_not_of("int, .]", type.find('[') + 1) == std::string_view::npos);
}

/// Whether an expression is whole numbers, as the sizes of a tensor are: `x.shape`,
/// `x.size()[2:]`.
bool are_sizes(const Node& node) {
  if (node.is("identifier")) return are_declared_whole(node);
  if (node.is("attribute")) return node.field("attribute").text() == "shape";
  if (node.is("call"))
    return node.field("function").text().ends_with(".size") &&
           node.field("arguments").children().empty();
  return node.is("subscript") && node.field("subscript").is("slice") &&
         are_sizes(node.field("value"));
}

/// One of them: `x.shape[0]`.
bool is_size(const Node& subscript) {
  return are_sizes(subscript.field("value")) && !are_sizes(subscript);
}

/// `+` of `a + b`, and of `a += b`.
std::string_view sign_of_arithmetic(const Node& node) {
  const std::string_view sign = node.field("operator").text();
  return node.is("binary_operator") ? sign : sign.substr(0, sign.size() - 1);
}

/// What a function of the file gives back, `scale()` or `self.scale()`. One of another file may
/// give a number or a tensor.
Numbers given_back(const Node& call, int depth) {
  const Node callee = call.field("function");
  const Node function = function_of_file(callee);
  if (!function) {
    const bool is_imported = callee.is("identifier") && is_given_by_import(callee);
    return is_imported ? Numbers{.fractional = true, .other = true} : no_number;
  }
  const std::string_view type = function.field("return_type").text();
  if (type == "int") return whole_number;
  if (type == "float") return fraction;
  Numbers found;
  for (const Node& statement : function.all("return_statement"))
    for (const Node& value : statement.children()) found = either(found, numbers_of(value, depth));
  return found.any() ? found : no_number;
}

Numbers numbers_of_call(const Node& call, int depth) {
  constexpr std::array of_tensors = {".size", ".dim", ".ndimension", ".numel"};
  const std::string_view callee = call.field("function").text();
  if (contains({"len", "int", "math.floor", "math.ceil", "math.gcd"}, callee)) return whole_number;
  if (std::ranges::any_of(of_tensors, [callee](auto each) { return callee.ends_with(each); }))
    return are_sizes(call) ? no_number : whole_number;
  if (callee == "float" || callee.starts_with("math.")) return fraction;
  const auto arguments = call.field("arguments").children();
  if (!contains({"min", "max", "abs"}, callee) || arguments.empty()) return given_back(call, depth);
  Numbers result;
  for (const Node& each : arguments) result = either(result, numbers_of(each, depth));
  return result;
}

/// What one of the names on the left of an assignment is given.
Numbers part_given(const Node& left, std::string_view name, const Node& right, int depth) {
  const auto names = left.children();
  const auto values = right.children();
  const bool matches =
      (right.is("expression_list") || right.is("tuple")) && values.size() == names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].text() != name) continue;
    return matches ? numbers_of(values[i], depth) : are_sizes(right) ? whole_number : no_number;
  }
  return {};
}

/// What an assignment gives a name; nothing if it is one to other names.
Numbers given(const Node& assignment, std::string_view name, int depth) {
  const Node left = assignment.field("left");
  Node right = assignment.field("right");
  if (left.is("pattern_list") || left.is("tuple_pattern"))
    return part_given(left, name, right, depth);
  if (left.text() != name || !right) return {};
  while (right.is("assignment")) right = right.field("right");
  return numbers_of(right, depth);
}

/// What a loop gives a name: `range`, or the first of `enumerate`, counts.
Numbers given_by_loop(const Node& loop, std::string_view name) {
  const Node left = loop.field("left");
  const std::string_view over = called_name(loop.field("right"));
  if (left.text() == name) return over == "range" ? whole_number : no_number;
  for (const Node& each : left.all("identifier"))
    if (each.text() == name)
      return over == "enumerate" && left.children().front() == each ? whole_number : no_number;
  return {};
}

/// By `x /= 2`, a fraction.
Numbers given_by_step(const Node& step, int depth) {
  const Numbers by = numbers_of(step.field("right"), depth);
  return step.field("operator").text() == "/=" && by.certain() ? fraction : by;
}

/// What a name is given beneath a node: `x` in a function, `self.x` in a class.
Numbers given_beneath(const Node& beneath, std::string_view name, int depth) {
  if (!beneath || beneath.text().size() > max_searched_size) return {};
  Numbers found;
  for (const Node& each : beneath.all("assignment"))
    found = either(found, given(each, name, depth));
  for (const Node& each : beneath.all("augmented_assignment"))
    if (each.field("left").text() == name) found = either(found, given_by_step(each, depth));
  for (const Node& each : beneath.all("named_expression"))
    if (each.field("name").text() == name)
      found = either(found, numbers_of(each.field("value"), depth));
  for (const char* loop : {"for_statement", "for_in_clause"})
    for (const Node& each : beneath.all(loop)) found = either(found, given_by_loop(each, name));
  return found;
}

/// What a caller may give is not known, unless it is declared.
Numbers given_by_callers(const Node& parameter, int depth) {
  const std::string_view type = parameter.field("type").text();
  if (type == "int") return whole_number;
  if (type == "float") return fraction;
  const Node value = parameter.field("value");
  return either(no_number, value ? numbers_of(value, depth) : Numbers{});
}

/// What the statements of a file or a class, outside all functions, give a name.
Numbers given_at_top(const Node& body, std::string_view name, int depth) {
  Numbers found;
  for (const Node& statement : body.children())
    if (statement.is("expression_statement"))
      for (const Node& each : statement.children())
        if (each.is("assignment")) found = either(found, given(each, name, depth));
  return found;
}

Numbers numbers_of_name(const Node& name, int depth) {
  const Node function = name.around("function_definition");
  const Numbers assigned = given_beneath(function, name.text(), depth);
  if (const Node parameter = parameter_of(function, name.text()))
    return either(assigned, given_by_callers(parameter, depth));
  return assigned.any() || assigned.other ? assigned
                                          : given_at_top(name.tree().root(), name.text(), depth);
}

Numbers numbers_of_attribute(const Node& attribute, int depth) {
  const std::string_view name = attribute.field("attribute").text();
  if (name == "ndim") return whole_number;
  const Node type = attribute.around("class_definition");
  if (!type || attribute.field("object").text() != "self") return no_number;
  return either(given_beneath(type, attribute.text(), depth),
                given_at_top(type.field("body"), name, depth));
}

Numbers numbers_of_variable(const Node& node, int depth) {
  Numbers found;
  if (node.is("identifier")) found = numbers_of_name(node, depth);
  if (node.is("attribute")) found = numbers_of_attribute(node, depth);
  return found.any() || found.other ? found : no_number;
}

Numbers numbers_of(const Node& node, int depth) {
  if (--depth < 0) return no_number;
  if (node.is("integer")) return whole_number;
  if (node.is("float")) return fraction;
  if (node.is("parenthesized_expression")) return numbers_of(node.children().front(), depth);
  if (node.is("call")) return numbers_of_call(node, depth);
  if (node.is("subscript")) return is_size(node) ? whole_number : no_number;
  if (node.is("unary_operator")) return numbers_of(node.field("argument"), depth);
  if (node.is("binary_operator") || node.is("augmented_assignment"))
    return computed(sign_of_arithmetic(node), numbers_of(node.field("left"), depth),
                    numbers_of(node.field("right"), depth));
  if (node.is("conditional_expression"))
    return either(numbers_of(node.children().front(), depth),
                  numbers_of(node.children().back(), depth));
  return numbers_of_variable(node, depth);
}

} // namespace

Numbers numbers_of(const Node& expression) { return numbers_of(expression, max_depth); }

std::string number_type(const Node& expression) {
  const Numbers numbers = numbers_of(expression);
  if (!numbers.certain()) return {};
  if (numbers.whole && numbers.fractional) return any_number;
  return numbers.whole ? "int" : "float";
}

} // namespace model_validator::fixes
