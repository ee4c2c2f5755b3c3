#include "fixes/operation.h"

#include "fixes/number_types.h"
#include "fixes/python/scope.h"
#include "validators/suggestions/functional_modules.h"
#include "validators/suggestions/op_family.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace model_validator::fixes {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

template <std::size_t N>
std::string_view look_up(const std::array<Pair, N>& table, std::string_view key) {
  const Pair* found = row_with(table, &Pair::first, key);
  return found == nullptr ? std::string_view() : found->second;
}

constexpr std::array operators = std::to_array<Pair>({
    {"+", "add"},
    {"-", "sub"},
    {"*", "mul"},
    {"/", "div"},
    {"@", "matmul"},
    {"**", "pow"},
    {"//", "floor_divide"},
    {"%", "remainder"},
    {"&", "bitwise_and"},
    {"|", "bitwise_or"},
    {"^", "bitwise_xor"},
    {"<", "lt"},
    {">", "gt"},
    {"<=", "le"},
    {">=", "ge"},
    {"==", "eq"},
    {"!=", "ne"},
});
constexpr std::array unary = std::to_array<Pair>({{"-", "neg"}, {"~", "bitwise_not"}});

std::string operator_in(const Node& node) {
  const Node token = node.field("operator");
  return token ? std::string(token.text()) : std::string();
}

/// The operator of `a < b`; none of `a < b < c`.
std::string comparison_in(const Node& node) {
  std::string found;
  for (const Node& token : node.tokens())
    if (!look_up(operators, token.text()).empty()) {
      if (!found.empty()) return {};
      found = token.text();
    }
  return found;
}

std::optional<Operation> arithmetic(const Node& node) {
  Operation::Form form = Operation::Form::binary;
  std::string_view name;
  if (node.is("binary_operator")) {
    name = look_up(operators, operator_in(node));
  } else if (node.is("augmented_assignment")) {
    form = Operation::Form::augmented;
    const std::string text = operator_in(node);
    name = look_up(operators, std::string_view(text).substr(0, text.size() - 1));
  } else if (node.is("comparison_operator")) {
    form = Operation::Form::comparison;
    name = look_up(operators, comparison_in(node));
  } else if (node.is("unary_operator")) {
    form = Operation::Form::unary;
    name = look_up(unary, operator_in(node));
  }
  if (name.empty()) return std::nullopt;
  return Operation{form, node, std::string(name), {}, form == Operation::Form::augmented};
}

bool is_dotted_name(const Node& node) {
  if (node.is("identifier")) return true;
  return node.is("attribute") && is_dotted_name(node.field("object"));
}

/// `relu_` writes in place, `__add__` does not.
bool ends_in_place(std::string_view name) { return name.ends_with('_') && !name.ends_with("__"); }

std::optional<Operation> call(const Node& node, const Imports& imports) {
  const Node callee = node.field("function");
  Operation found{Operation::Form::function, node, {}, {}, false};
  if (is_dotted_name(callee)) found.function = imports.resolve(callee.text());
  if (found.function.empty()) {
    if (!callee.is("attribute") || callee.field("object").text() == "self") return std::nullopt;
    found.form = Operation::Form::method;
  } else if (!found.function.starts_with("torch.")) {
    return std::nullopt;
  }
  std::string name(last_part(callee.is("attribute") && found.form == Operation::Form::method
                                 ? callee.field("attribute").text()
                                 : std::string_view(found.function)));
  found.in_place = ends_in_place(name);
  if (found.in_place) name.pop_back();
  found.name = op_family(name);
  return found;
}

std::optional<Operation> operation(const Node& node, const Imports& imports) {
  return node.is("call") ? call(node, imports) : arithmetic(node);
}

bool are_numbers(const Operation& operation) {
  return operation.form != Operation::Form::comparison && is_number(operation.node);
}

bool runs(const Operation& candidate, const std::string& family) {
  return candidate.name == family ||
         (!candidate.function.empty() && runs_among_others(candidate.name, family));
}

/// The line of a method call is that of the method's name.
int line_of(const Node& node) {
  const Node callee = node.is("call") ? node.field("function") : Node();
  return callee && callee.is("attribute") ? callee.field("attribute").first_line()
                                          : node.first_line();
}

/// TorchScript places `(a + b) * c` at its `a`.
bool starts_at(const Node& node, const Place& place) {
  Node first = node;
  for (auto tokens = first.tokens(); !tokens.empty(); tokens = first.tokens()) {
    if (first.first_line() == place.line && first.column() == place.column) return true;
    first = tokens.front().is("(") && tokens.size() > 1 ? tokens[1] : tokens.front();
  }
  return first.first_line() == place.line && first.column() == place.column;
}

bool is_at(const Node& node, const Place& place) {
  if (place.column >= 0) return starts_at(node, place);
  return node.first_line() == place.line || line_of(node) == place.line;
}

void collect(const Node& node, const Place& place, std::vector<Node>& found) {
  if (node.first_line() > place.line || node.last_line() < place.line) return;
  for (const Node& child : node.children_on(place.line)) collect(child, place, found);
  if (is_at(node, place)) found.push_back(node);
}

} // namespace

std::string_view sign_of(std::string_view name) {
  const Pair* found = row_with(operators, &Pair::second, name);
  return found == nullptr ? std::string_view() : found->first;
}

std::vector<Node> expressions_at(const Node& root, const Place& place) {
  std::vector<Node> found;
  collect(root, place, found);
  return found;
}

std::vector<Operation> functions_in(const Node& root, const Imports& imports,
                                    const std::string& function) {
  std::vector<Operation> found;
  for (const Node& node : root.all("call"))
    if (const auto candidate = call(node, imports); candidate && candidate->function == function)
      found.push_back(*candidate);
  return found;
}

std::vector<Operation> operations_at(const Node& root, const Imports& imports, const Place& place,
                                     const std::string& family) {
  std::vector<Operation> found;
  for (const Node& node : expressions_at(root, place))
    if (const auto candidate = operation(node, imports);
        candidate && runs(*candidate, family) && !are_numbers(*candidate))
      found.push_back(*candidate);
  return found;
}

} // namespace model_validator::fixes
