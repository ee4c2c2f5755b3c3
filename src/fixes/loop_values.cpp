#include "fixes/loop_values.h"

#include "fixes/module_words.h"
#include "fixes/number_types.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// Names that stand for names, and functions that call functions, are followed this far.
constexpr int max_depth = 3;

bool can_be_run_along(const Node& value, const Imports& imports, int depth);

/// Whether each value that a function gives back is one to be run along.
bool gives_back_such(const Node& function, const Imports& imports, int depth) {
  const auto returns = function.all("return_statement");
  const bool is_plain = !function.parent().is("decorated_definition") && !returns.empty() &&
                        function.field("body").children().back().is("return_statement") &&
                        function.all("yield").empty();
  return is_plain && std::ranges::all_of(returns, [&](const Node& each) {
           return each.children().size() == 1 &&
                  can_be_run_along(each.children().front(), imports, depth);
         });
}

/// Whether each value that a function gives a name of its own is one to be run along.
bool names_such(const Node& name, const Imports& imports, int depth) {
  const Node function = name.around("function_definition");
  auto targets = function.identifiers(name.text());
  std::erase_if(targets, [](const Node& use) { return is_named_field(use) || !binds(use); });
  return !targets.empty() && std::ranges::all_of(targets, [&](const Node& each) {
    const Node around = each.parent();
    return around.is("assignment") && around.field("left") == each &&
           can_be_run_along(around.field("right"), imports, depth);
  });
}

bool can_be_run_along(const Node& value, const Imports& imports, int depth) {
  if (!value || --depth < 0) return false;
  if (contains({"list", "tuple", "list_comprehension"}, value.type())) return true;
  if (value.is("identifier")) return names_such(value, imports, depth);
  if (!value.is("call")) return false;
  const Node callee = value.field("function");
  if (contains({"list", "tuple", "range", "sorted"}, callee.text())) return true;
  if (imports.resolve(callee.text()).starts_with("torch.nn.")) return true;
  const Node function = function_of_file(callee);
  return function && gives_back_such(function, imports, depth);
}

} // namespace

bool can_be_run_along(const Node& value, const Imports& imports) {
  return can_be_run_along(value, imports, max_depth);
}

bool is_whole_number(const Node& value) {
  const Node parameter = value.is("identifier")
                             ? parameter_of(value.around("function_definition"), value.text())
                             : Node();
  const Node standard = parameter.field("value");
  if (parameter && !standard) return parameter.field("type").text() == "int";
  if (parameter) return standard.is("integer");
  const Numbers numbers = numbers_of(value);
  return numbers.whole && numbers.certain() && !numbers.fractional;
}

} // namespace model_validator::fixes
