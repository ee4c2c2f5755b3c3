#include "fixes/separate_children.h"

#include "fixes/calls_in_source.h"
#include "fixes/plain_module.h"
#include "validators/suggestions/module_names.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// Lists that are put into lists are followed this far.
constexpr int max_depth = 4;

bool is_network(const Node& value, const Imports& imports) {
  const std::string full = imports.resolve(value.field("function").text());
  return value.is("call") && (full == "torch.nn.Sequential" || full == "torch.nn.ModuleList");
}

bool adds_to_its_object(const Node& callee) {
  constexpr auto& growers = word_array<"append insert add_module extend">;
  return contains(growers, callee.field("attribute").text());
}

bool goes_into_network(const Node& use, const Imports& imports, int depth);

/// What a value is an element of: all of `[relu, conv] + more`.
Node whole_list(Node value) {
  for (Node around = value.parent();; value = around, around = value.parent())
    if (!contains({"list", "tuple", "list_splat"}, around.type()) &&
        !(around.is("binary_operator") && around.field("operator").text() == "+"))
      return value;
}

/// `layers` of `layers = []`, `layers += more`, `layers.append(relu)`.
bool is_filled(const Node& name, const Imports& imports) {
  const Node around = name.parent();
  const Node right = around.field("right");
  if (around.is("attribute"))
    return adds_to_its_object(around) && around.parent().field("function") == around;
  return around.field("left") == name &&
         (around.is("augmented_assignment") ||
          (around.is("assignment") &&
           (right.is("list") || right.is("binary_operator") || is_network(right, imports))));
}

/// Whether a constructor does no more with a list than to make a network of it.
bool becomes_network(const Node& list, const Imports& imports, int depth) {
  const Node function = list.around("function_definition");
  return depth > 0 && list.is("identifier") && !parameter_of(function, list.text()) &&
         std::ranges::all_of(function.identifiers(list.text()), [&](const Node& use) {
           return is_named_field(use) || is_filled(use, imports) ||
                  goes_into_network(use, imports, depth - 1);
         });
}

/// `self.layers`, where its class makes that by `nn.Sequential()`.
bool holds_network(const Node& attribute, const Imports& imports) {
  const Node type = attribute.is("attribute") ? owner_of(attribute.field("object")) : Node();
  const auto made = type ? assignments_of(type, std::string(attribute.field("attribute").text()))
                         : std::vector<Node>();
  return !made.empty() && std::ranges::all_of(made, [&](const Node& each) {
    return is_network(each.field("right"), imports);
  });
}

/// `nn.Sequential(conv, relu)`, `layers.append(relu)`, `layers = [conv, relu]`.
bool goes_into_network(const Node& use, const Imports& imports, int depth = max_depth) {
  const Node whole = whole_list(use);
  const Node around = whole.parent();
  const Node callee = around.parent().field("function");
  if (around.is("argument_list"))
    return is_network(around.parent(), imports) ||
           (adds_to_its_object(callee) &&
            (holds_network(callee.field("object"), imports) ||
             becomes_network(callee.field("object"), imports, depth)));
  const Node left = around.field("left");
  const bool is_given =
      (around.is("assignment") && !(whole == use)) || around.is("augmented_assignment");
  return is_given && around.field("right") == whole &&
         (left.text() == use.text() || becomes_network(left, imports, depth));
}

/// The uses of a name in a function, but the one that is its only target.
std::vector<Node> other_uses(const Node& target, const Node& function) {
  const bool is_attribute = target.is("attribute");
  std::vector<Node> uses =
      is_attribute ? function.all("attribute") : function.identifiers(target.text());
  std::erase_if(uses, [&](const Node& each) {
    return each.text() != target.text() || each == target ||
           (!is_attribute && is_named_field(each));
  });
  return uses;
}

/// `self.drop2` of `self.drop2 = self.drop1`, if the constructor does nothing else with it.
Node other_name_by(const Node& use) {
  const Node around = use.parent();
  const Node left = around.field("left");
  const bool is_it = around.is("assignment") && around.field("right") == use &&
                     left.is("attribute") && owner_of(left.field("object")) &&
                     other_uses(left, use.around("function_definition")).empty();
  return is_it ? left : Node();
}

/// Where a constructor puts what it made once and always: the uses of `relu` or `self.relu`.
/// Empty where it does anything else with it, as `self.relu` may then be another, or has to be the
/// same.
std::vector<Node> places_of(const Node& made, const Imports& imports) {
  const Node left = made.field("left");
  const Node init = made.around("function_definition");
  if (!(made.parent().parent() == init.field("body"))) return {};
  const auto uses = other_uses(left, init);
  const bool is_only_placed = std::ranges::all_of(uses, [&](const Node& use) {
    return use.begin() > made.end() && (goes_into_network(use, imports) || other_name_by(use));
  });
  return is_only_placed && !parameter_of(init, left.text()) ? uses : std::vector<Node>();
}

/// Whether a network has the one that was made more than once.
bool is_shared(const Node& made, const std::vector<Node>& places) {
  return places.size() > 1 || std::ranges::any_of(places, [&](const Node& each) {
           return other_name_by(each) || !(statement_of(each).parent() == made.parent().parent());
         });
}

/// Whether nothing but the container needs the one that was made.
bool is_spare(const Node& made, const std::vector<Node>& uses) {
  const Node left = made.field("left");
  return left.is("identifier") && statement_of(uses.front()).parent() == made.parent().parent();
}

void touch(const Node& attribute, const Node& type, Draft& draft) {
  if (attribute.is("attribute"))
    draft.touched.push_back(
        {Touched::Kind::shared, std::string(attribute.field("attribute").text()), type});
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
  for (const Node& each : made_in(find_method(type, "__init__"), made, file)) {
    auto places = places_of(each, file.imports());
    if (!is_shared(each, places)) continue;
    touch(each.field("left"), type, draft);
    for (const Node& place : places) touch(other_name_by(place), type, draft);
    if (is_spare(each, places)) places.erase(places.begin());
    for (const Node& place : places)
      draft.edits.push_back(
          {place.begin(), place.end(), copy_of(std::string(place.text()), draft), 0});
  }
  if (draft.edits.empty()) throw Refusal{obstacle};
  propose(finding, "give each name and each place its own module, by `copy.deepcopy`" +
                       in_init_of(name_of(type)));
  return draft;
}

} // namespace model_validator::fixes
