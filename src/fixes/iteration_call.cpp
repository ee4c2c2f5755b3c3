#include "fixes/iteration_call.h"

#include "fixes/planned_files.h"

#include <limits>

namespace model_validator::fixes {
namespace {

constexpr std::ptrdiff_t last_of_all = std::numeric_limits<std::ptrdiff_t>::max();

/// The name of an iteration's module, with the number that its attribute was given.
std::string name_in_turn(const std::string& name, const std::string& attribute,
                         const PythonFile& file) {
  const std::string suffix = attribute.substr(plural(name).size());
  for (const std::string& each : {name, name + "_module"})
    if (!file.uses(each + suffix)) return each + suffix;
  throw Refusal{"it is in a loop, where the name `" + name + "` is taken"};
}

/// `strict=True` comes last.
Node last_positional(const Node& call) {
  Node last;
  for (const Node& argument : call.field("arguments").children())
    if (!argument.is("keyword_argument")) last = argument;
  return last;
}

/// The edits of the `for` that make it run over more modules along with those that it has.
/// @param rank  their place among others that run along
std::vector<TextEdit> run_along(const ModuleLoop& loop, const std::string& name,
                                const std::string& modules, std::ptrdiff_t rank, bool compiled) {
  std::vector<TextEdit> edits;
  const auto insert = [&](std::size_t at, std::string text, std::ptrdiff_t place) {
    edits.push_back({at, at, std::move(text), place});
  };
  if (loop.zipped) {
    const std::size_t bracket = loop.element.is("tuple_pattern") ? 1 : 0;
    insert(loop.element.end() - bracket, ", " + name, rank);
    insert(last_positional(loop.iterable).end(), ", " + modules, rank);
    return edits;
  }
  const Node& element = loop.element;
  if (element.is("pattern_list")) {
    insert(element.begin(), "(", 0);
    insert(element.end(), ")", 0);
  }
  if (loop.enumerated) insert(element.begin(), "(", -1);
  insert(element.end(), ", " + name, rank);
  if (loop.enumerated) insert(element.end(), ")", last_of_all);
  insert(loop.iterable.begin(), "zip(", 0);
  insert(loop.iterable.end(), ", " + modules, rank);
  // Otherwise modules that are added outside this file would be skipped silently.
  insert(loop.iterable.end(), compiled ? ")" : ", strict=True)", last_of_all);
  return edits;
}

} // namespace

IterationCall call_per_iteration(const ModuleLoop& loop, const std::string& name,
                                 const std::string& attribute, const Method& method,
                                 const Node& user, const PythonFile& file, bool compiled) {
  const std::string modules = method.self + '.' + attribute;
  if (!loop.index.empty()) return {modules + '[' + loop.index + ']', {}};
  const std::string callee = name_in_turn(name, attribute, file);
  return {callee, run_along(loop, callee, modules, static_cast<std::ptrdiff_t>(user.begin()) + 1,
                            compiled)};
}

IterationCall map_of_modules(const Node& call, const std::string& modules) {
  std::string names;
  for (std::size_t i = 1; i < call.field("arguments").children().size(); ++i)
    names += (i > 1 ? ", each_" + std::to_string(i) : std::string("each"));
  const std::size_t end = last_positional(call).end();
  return {"lambda " + names + ", module: module(" + names + ')', {{end, end, ", " + modules, 0}}};
}

std::string plural(const std::string& name) {
  if (name.ends_with('s') || name.ends_with('x') || name.ends_with("ch") || name.ends_with("sh"))
    return name + "es";
  return name + 's';
}

std::string one_per_iteration(const std::string& constructor, const ModuleLoop& loop,
                              Draft& draft) {
  const std::string list = imported(draft, {"torch", "nn"}) + ".ModuleList";
  const std::string turns = turns_of(loop, draft.site.self);
  if (!loop.attribute.empty())
    draft.touched.push_back({loop.is_counted ? Touched::Kind::value : Touched::Kind::modules,
                             loop.attribute, draft.type});
  return list + "([" + constructor + " for _ in " + turns + "])";
}

} // namespace model_validator::fixes
