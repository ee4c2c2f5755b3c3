#include "fixes/loop_counts.h"

#include "fixes/call_arguments.h"
#include "fixes/module_loop.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <iterator>

namespace model_validator::fixes {
namespace {

/// The argument of a call for a parameter, or else its default; no node where neither is known.
Node given_for(const Node& call, const Node& function, const std::string& parameter) {
  const auto given = arguments_of(call);
  if (!given) return {};
  const auto parameters = function.field("parameters").children();
  const auto place = static_cast<std::size_t>(
      std::ranges::find(parameters, parameter_of(function, parameter)) - parameters.begin());
  for (std::size_t i = 0; i < given->size(); ++i)
    if ((*given)[i].name.empty() ? i == place : (*given)[i].name == parameter)
      return (*given)[i].value;
  return parameters[place].field("value");
}

/// What a name of several is given: `n` of `a, *b, n = *x, self.n`, whose end fits, whatever comes
/// before it.
Node element_for(const Node& name, const Node& assignment) {
  const auto names = assignment.field("left").children();
  const auto values = assignment.field("right").children();
  const auto behind = std::distance(std::ranges::find(names, name), names.end());
  if (!assignment.field("right").is("expression_list") || std::ssize(values) < behind) return {};
  const auto spreads = [behind](const std::vector<Node>& all, const char* type) {
    return std::any_of(all.end() - behind, all.end(), [type](auto& each) { return each.is(type); });
  };
  if (spreads(names, "list_splat_pattern") || spreads(values, "list_splat")) return {};
  return *(values.end() - behind);
}

/// What the one assignment to a name in its function gives it; no node where there are more.
Node value_bound_to(const Node& name) {
  const Node function = name.around("function_definition");
  auto uses = function.identifiers(name.text());
  std::erase_if(uses, [](const Node& use) { return is_named_field(use) || !binds(use); });
  if (uses.size() != 1) return {};
  const Node around = uses.front().parent();
  if (around.is("assignment")) return around.field("right");
  return around.is("pattern_list") ? element_for(uses.front(), around.parent()) : Node();
}

/// A count in the words of the constructor; empty where that does not know it.
std::string in_constructor(Node value, const Method& method, Draft& part) {
  if (value.is("identifier")) value = value_bound_to(value);
  if (value.is("integer")) return std::string(value.text());
  const bool is_of_class = part.file && !(method.type == method.function);
  const std::string attribute = is_of_class ? number_kept_in(value, method, *part.file) : "";
  ModuleLoop counted{value, value, value, attribute};
  if (attribute.empty() || !is_filled_before(counted, method, part.site)) return {};
  part.touched.push_back({Touched::Kind::value, attribute, method.type});
  return part.site.self + '.' + attribute;
}

/// Whether a loop does more than fill lists, so that a module may stand for what it runs.
bool may_run_module(const Node& body) {
  constexpr auto& of_lists = word_array<"append extend insert len range">;
  for (const char* type :
       {"binary_operator", "unary_operator", "comparison_operator", "augmented_assignment"})
    if (!body.all(type).empty()) return true;
  return std::ranges::any_of(
      body.all("call"), [](const Node& each) { return !contains(of_lists, called_name(each)); });
}

} // namespace

std::vector<std::string> counting_parameters(const Node& function) {
  std::vector<std::string> found;
  for (const Node& parameter : function.field("parameters").children()) {
    const Node name = name_of_parameter(parameter);
    const auto uses = function.field("body").identifiers(name.text());
    const auto counts = [](const Node& use) {
      const Node loop = use.parent().parent().parent();
      return loop.is("for_statement") && counted_to(loop.field("right")) == use &&
             may_run_module(loop.field("body"));
    };
    if (std::ranges::none_of(uses, binds) && std::ranges::any_of(uses, counts))
      found.emplace_back(name.text());
  }
  return found;
}

LoopCounts loop_counts(const Node& function, const Node& call, const Method& method, Draft& part) {
  LoopCounts counts;
  for (const std::string& parameter : counting_parameters(function)) {
    const Node value = given_for(call, function, parameter);
    const std::string count = value ? in_constructor(value, method, part) : "";
    if (count.empty()) continue;
    counts.arguments += (counts.known.empty() ? "" : ", ") + parameter + '=' + count;
    counts.known.insert(parameter);
  }
  return counts;
}

} // namespace model_validator::fixes
