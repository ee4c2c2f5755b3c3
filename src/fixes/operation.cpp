#include "fixes/operation.h"

#include "fixes/number_types.h"
#include "fixes/plain_module.h"
#include "fixes/python/scope.h"
#include "validators/suggestions/functional_modules.h"
#include "validators/suggestions/op_family.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <optional>

namespace model_validator::fixes {
namespace {

/// Operators, and Python's signs for them.
constexpr auto& binary =
    word_array<"add=+ sub=- mul=* div=/ matmul=@ pow=** floor_divide=// remainder=% bitwise_and=& "
               "bitwise_or=| bitwise_xor=^ lt=< gt=> le=<= ge=>= eq=== ne=!=">;
constexpr auto& unary = word_array<"neg=- bitwise_not=~">;

template <class Pairs>
std::string_view operator_with(std::string_view sign, const Pairs& operators) {
  for (std::string_view each : operators)
    if (const std::string_view name = take_before('=', each); each == sign) return name;
  return {};
}

/// The sign of `a < b`; none of `a < b < c`.
std::string_view comparison_in(const Node& node) {
  std::string_view found;
  for (const Node& token : node.tokens())
    if (!operator_with(token.text(), binary).empty()) {
      if (!found.empty()) return {};
      found = token.text();
    }
  return found;
}

std::optional<Operation> arithmetic(const Node& node) {
  Operation::Form form = Operation::Form::binary;
  const std::string_view sign = node.field("operator").text();
  std::string_view name;
  if (node.is("binary_operator")) {
    name = operator_with(sign, binary);
  } else if (node.is("augmented_assignment")) {
    form = Operation::Form::augmented;
    name = operator_with(sign.substr(0, sign.size() - 1), binary);
  } else if (node.is("comparison_operator")) {
    form = Operation::Form::comparison;
    name = operator_with(comparison_in(node), binary);
  } else if (node.is("unary_operator")) {
    form = Operation::Form::unary;
    name = operator_with(sign, unary);
  }
  if (name.empty()) return std::nullopt;
  return Operation{form, node, std::string(name), {}, form == Operation::Form::augmented};
}

bool is_dotted_name(const Node& node) {
  if (node.is("identifier")) return true;
  return node.is("attribute") && is_dotted_name(node.field("object"));
}

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

/// `sum(parts)`, of Python, which adds one by one.
bool adds_all(const Node& node, const Imports& imports) {
  if (node.field("function").text() != "sum") return false;
  const Node given = node.field("arguments");
  const auto uses = node.tree().root().identifiers("sum");
  const bool is_of_python =
      imports.resolve("sum").empty() &&
      std::ranges::none_of(uses, [](auto& use) { return binds(use) && !is_named_field(use); });
  return is_of_python && (given.is("generator_expression") || given.children().size() == 1);
}

/// `x` of `tuple(x)`, `enumerate(x)` and `map(f, x)`, which run along it.
Node run_along(const Node& value) {
  constexpr auto& runners = word_array<"enumerate iter list map tuple">;
  if (!value.is("call") || !contains(runners, value.field("function").text())) return value;
  const auto given = value.field("arguments").children();
  return given.size() == (value.field("function").text() == "map" ? 2 : 1) ? run_along(given.back())
                                                                           : Node();
}

/// Not `a, b = y = x`, whose names are given different things.
bool is_only_assignment(const Node& node) {
  return node.is("assignment") && node.parent().is("expression_statement") &&
         !node.field("right").is("assignment");
}

/// `x` of `a, b = x` and `for a in x`: a tensor is taken apart by `unbind`.
Node taken_apart(const Node& node) {
  constexpr auto& collections =
      word_array<"tuple list dictionary expression_list list_comprehension set_comprehension "
                 "generator_expression string integer">;
  constexpr auto& makers = word_array<"broadcast_tensors chunk dsplit hsplit items keys meshgrid "
                                      "range reversed split split_with_sizes tensor_split unbind "
                                      "values vsplit zip">;
  const bool is_loop = node.is("for_statement") || node.is("for_in_clause");
  const Node left = node.field("left");
  const bool is_unpacked =
      is_only_assignment(node) && (left.is("pattern_list") || left.is("tuple_pattern"));
  const Node value = is_loop || is_unpacked ? run_along(node.field("right")) : Node();
  if (!value) return {};
  const bool is_sequence = contains(collections, value.type()) ||
                           (value.is("call") && contains(makers, called_name(value)));
  return is_sequence ? Node() : value;
}

std::optional<Operation> operation(const Node& node, const Imports& imports) {
  if (const Node value = taken_apart(node))
    return Operation{Operation::Form::unpacking, value, "unbind", {}, false};
  if (!node.is("call")) return arithmetic(node);
  const Node callee = node.field("function");
  if (adds_all(node, imports)) return Operation{Operation::Form::sum, node, "add", {}, false};
  if (!makes_plain_torch_module(callee, imports)) return call(node, imports);
  return Operation{Operation::Form::new_module, node, std::string(called_name(callee)), {}, false};
}

/// A new module draws in either mode, as nobody sets that of it.
bool runs_in_new_module(std::string_view class_name, std::string_view family) {
  return (class_of(family) == class_name ||
          (family == "pad" && class_name.find("Pad") != std::string_view::npos)) &&
         !is_random_in_training(family);
}

bool are_numbers(const Operation& operation) {
  return operation.form != Operation::Form::comparison && is_number(operation.node);
}

/// `torch.fft.rfftn` runs `fft_rfftn`.
bool runs_of_group(const std::string& function, const std::string& family) {
  constexpr auto& groups = word_array<"torch.fft torch.linalg torch.special">;
  const std::string group = function.substr(0, function.rfind('.'));
  return contains(groups, group) &&
         op_family(last_part(group) + '_' + last_part(function)) == family;
}

/// `F.unfold` runs `im2col`; the method `unfold` of a tensor does not.
bool runs_under_other_name(const std::string& function, const std::string& family) {
  constexpr auto& names = word_array<"unfold=im2col fold=col2im">;
  return function.starts_with("torch.nn.functional.") &&
         paired_with(last_part(function), names) == family;
}

/// `F.normalize(x)`, or `1 / x`, which torch computes as `x.reciprocal() * 1`.
/// @param is_numerator  whether what is divided is a number
bool runs_several(const Operation& candidate, const std::string& family,
                  bool (*is_numerator)(const Node&)) {
  const bool is_quotient = candidate.form == Operation::Form::binary && candidate.name == "div";
  const bool is_one_of_several =
      is_quotient ? is_numerator(candidate.node.field("left"))
                  : candidate.form == Operation::Form::function && candidate.name != "div";
  return is_one_of_several && runs_among_others(candidate.name, family);
}

bool runs(const Operation& candidate, const std::string& family) {
  if (candidate.form == Operation::Form::new_module)
    return runs_in_new_module(candidate.name, family);
  return candidate.name == family || runs_of_group(candidate.function, family) ||
         runs_under_other_name(candidate.function, family) ||
         runs_several(candidate, family, is_number);
}

/// `self.scale / x`, where nothing else on the line may be the operator.
bool may_run(const Operation& candidate, const std::string& family) {
  return runs_several(candidate, family, may_be_number);
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

bool ends_in_place(std::string_view name) { return name.ends_with('_') && !name.ends_with("__"); }

std::string_view sign_of(std::string_view name) { return paired_with(name, binary); }

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
  std::vector<Operation> candidates;
  for (const Node& node : expressions_at(root, place))
    if (const auto candidate = operation(node, imports); candidate && !are_numbers(*candidate))
      candidates.push_back(*candidate);
  for (const auto& is_meant : {runs, may_run}) {
    std::vector<Operation> found;
    for (const Operation& each : candidates)
      if (is_meant(each, family)) found.push_back(each);
    if (!found.empty()) return found;
  }
  return {};
}

} // namespace model_validator::fixes
