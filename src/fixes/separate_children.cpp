#include "fixes/separate_children.h"

#include "fixes/calls_in_source.h"
#include "fixes/plain_module.h"
#include "validators/suggestions/module_names.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <set>

namespace model_validator::fixes {
namespace {

/// What puts a module into a container: `nn.Sequential(conv, relu)`, `layers.append(relu)`.
bool puts_into_container(const Node& use) {
  constexpr auto& takers = word_array<"Sequential ModuleList append insert add_module extend">;
  const Node around = use.parent();
  if (around.is("argument_list")) return contains(takers, called_name(around.parent()));
  return around.is("list") || around.is("tuple") || around.is("assignment") ||
         (around.is("binary_operator") && around.field("operator").text() == "+");
}

/// Where a constructor hands on what it made once: the uses of `relu` or `self.relu`.
std::vector<Node> handed_on(const Node& made) {
  const Node left = made.field("left");
  const Node init = made.around("function_definition");
  std::vector<Node> uses;
  for (const Node& each : init.all(left.is("attribute") ? "attribute" : "identifier"))
    if (each.text() == left.text() && each.begin() > made.end() && puts_into_container(each) &&
        !(each.parent().is("assignment") && each.parent().field("left") == each))
      uses.push_back(each);
  return uses;
}

/// Whether nothing but the container needs the one that was made.
bool is_spare(const Node& made, const std::vector<Node>& uses) {
  const Node left = made.field("left");
  return left.is("identifier") && statement_of(uses.front()).parent() == made.parent().parent();
}

/// The class whose method calls the container, by `self.layers(x)`.
Node owner_of_container(const PythonFile& file, const SourceCall& call) {
  for (const Node& each : expressions_of(file, call)) {
    const MethodOrReason around = each.is("call") ? method_of(each) : MethodOrReason();
    const Node callee = each.field("function");
    if (around.method && callee.is("attribute") &&
        callee.field("object").text() == around.method->self &&
        !assignments_of(around.method->type, callee.field("attribute").text()).empty())
      return around.method->type;
  }
  return {};
}

/// The statements of a constructor that make a module of that class and give it a name.
std::vector<Node> made_in(const Node& init, const std::string& class_name, const PythonFile& file) {
  std::vector<Node> found;
  for (const Node& each : init.all("assignment")) {
    const Node value = each.field("right");
    if (value.is("call") && called_name(value) == class_name &&
        makes_plain_torch_module(value, file.imports()))
      found.push_back(each);
  }
  return found;
}

} // namespace

Draft separate_children(const Rewrite& rewrite, const char* obstacle, Diagnostic& finding,
                        PlannedFiles& files) {
  const SourceCall& call = rewrite.calls.front();
  PythonFile& file = files.file_of(call);
  const Node type = owner_of_container(file, call);
  if (!type) throw Refusal{obstacle};
  const std::string made = last_part(rewrite.expression.substr(0, rewrite.expression.find('(')));
  Draft draft{&file};
  std::set<std::size_t> done;
  for (const Node& each : made_in(find_method(type, "__init__"), made, file)) {
    auto uses = handed_on(each);
    if (!uses.empty() && is_spare(each, uses)) uses.erase(uses.begin());
    std::erase_if(uses, [&](const Node& use) { return !done.insert(use.begin()).second; });
    for (const Node& use : uses)
      draft.edits.push_back({use.begin(), use.end(), copy_of(std::string(use.text()), draft), 0});
    const Node left = each.field("left");
    if (!uses.empty() && left.is("attribute"))
      draft.touched.push_back(
          {Touched::Kind::modules, std::string(left.field("attribute").text()), type});
  }
  if (draft.edits.empty()) throw Refusal{obstacle};
  propose(finding, "give each name and each place its own module, by `copy.deepcopy`" +
                       in_init_of(name_of(type)));
  return draft;
}

} // namespace model_validator::fixes
