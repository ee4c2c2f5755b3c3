#include "fixes/looks/receivers.h"

#include "fixes/looks/child_words.h"
#include "fixes/looks/function_references.h"
#include "fixes/python/scope.h"

#include <tuple>

namespace model_validator::fixes {
namespace {

constexpr int max_search_depth = 14;
constexpr std::size_t max_places = 150;
constexpr int max_steps = 1500;

const Receiver anything{true, false, {}};
const Receiver nothing{};

/// The call of a name that is used; no node where it is used otherwise.
bool is_mention(const Node& use) {
  const Node around = use.parent();
  return around.is("function_definition") || around.is("class_definition") ||
         use.around("import_from_statement") || use.around("type") ||
         (around.is("argument_list") && around.parent().is("class_definition")) ||
         use.around("comparison_operator") ||
         (around.is("argument_list") && called_name(around.parent()).starts_with("is")) ||
         (around.is("tuple") && called_name(around.parent().parent()).starts_with("is"));
}

/// The classes that the conditions around an expression say it is of: `if isinstance(m, Block):`,
/// `if type(m) is Block:`; no node for none.
Node guarded_classes(const Node& expression) {
  for (Node inside = expression, around = expression.parent(); around;
       inside = around, around = around.parent()) {
    if (around.is("function_definition")) break;
    const Node condition = around.field("condition");
    if (!around.is("if_statement") || !(around.field("consequence") == inside) ||
        condition.text().find(" or ") != std::string_view::npos ||
        condition.text().find("not ") != std::string_view::npos)
      continue;
    for (const Node& call : condition.all("call")) {
      const auto arguments = call.field("arguments").children();
      if (arguments.empty() || arguments.front().text() != expression.text()) continue;
      if (called_name(call) == "isinstance" && arguments.size() == 2) return arguments.back();
      const Node compared = call.parent();
      if (called_name(call) == "type" && compared.is("comparison_operator") &&
          compared.children().size() == 2 && compared.children().front() == call &&
          compared.text().find('!') == std::string_view::npos)
        return compared.children().back();
    }
  }
  return {};
}

/// Follows a value back to where it is made.
class Receivers {
public:
  explicit Receivers(SourceIndex& index) : index_(index) {}

  Receiver of(const Node& value) {
    if (depth_ >= max_search_depth || ++steps_ > max_steps) return anything;
    const auto key =
        std::make_tuple(&value.source(), scope_of(value).key(), std::string(value.text()));
    if (!active_.insert(key).second) return nothing; // what it is given of itself
    ++depth_;
    Receiver found = find(value);
    --depth_;
    active_.erase(key);
    return found;
  }

private:
  Receiver find(const Node& value) {
    if (value.is("none")) return nothing;
    if (value.is("parenthesized_expression") || value.is("list_splat"))
      return of(value.children().front());
    if (value.is("conditional_expression"))
      return all({value.children().front(), value.children().back()});
    if (value.is("boolean_operator")) return all({value.field("left"), value.field("right")});
    if (value.is("call")) return of_call(value);
    if (value.is("identifier")) return of_name(value);
    if (value.is("attribute")) return of_attribute(value);
    if (value.is("subscript")) return of_part(value);
    return anything;
  }

  Receiver all(const std::vector<Node>& values) {
    if (values.size() > max_places) return anything;
    Receiver together;
    for (const Node& value : values)
      if (!together.any) add(together, of(value));
    return together;
  }

  static void add(Receiver& together, Receiver more) {
    together.any = together.any || more.any;
    together.from_outside = together.from_outside || more.from_outside;
    together.classes.merge(more.classes);
  }

  /// A part of a container that a slice takes is one, too.
  Receiver of_part(const Node& subscript) {
    const Receiver whole = of(subscript.field("value"));
    const bool container = !whole.any && !whole.from_outside && whole.classes.empty();
    return container && subscript.field("subscript").is("slice") ? whole : anything;
  }

  /// `Net`, `nn.Sequential` and `models.Net` name classes.
  Receiver named(const Node& type) {
    if (type.is("none")) return nothing;
    if (type.is("generic_type") || type.is("subscript")) return named_in_union(type);
    if (type.is("binary_operator")) {
      Receiver both = named(type.field("left"));
      add(both, named(type.field("right")));
      return both;
    }
    if (!type.is("identifier") && !type.is("attribute")) return anything;
    const std::string name(last_name_of(type));
    if (contains(containers_of_torch, name)) return nothing;
    if (name == "Module" || index_.classes_named(name).empty()) return anything;
    return {false, false, {name}};
  }

  /// `Union[A, B]`, `Optional[A]`
  Receiver named_in_union(const Node& type) {
    const std::string_view outer = type.text();
    if (outer.find("Union[") == std::string_view::npos &&
        outer.find("Optional[") == std::string_view::npos)
      return anything;
    Receiver together;
    for (const Node& each : type.children()) {
      if (each.text() == "Union" || each.text() == "Optional" || each.text().starts_with("typing"))
        continue;
      const auto parts = each.is("type_parameter") ? each.children() : std::vector{each};
      for (const Node& part : parts)
        add(together, named(part.is("type") ? part.children().front() : part));
    }
    return together;
  }

  Receiver annotated(const Node& annotation) {
    return annotation && !annotation.children().empty() ? named(annotation.children().front())
                                                        : anything;
  }

  Receiver of_call(const Node& call) {
    const Node callee = call.field("function");
    const auto arguments = call.field("arguments").children();
    const std::string_view name = called_name(call);
    if ((name == "deepcopy" || name == "unwrap_model") && !arguments.empty())
      return of(arguments.front());
    constexpr std::array keep = {"eval", "train", "to", "cuda", "cpu", "float", "half", "double"};
    if (callee.is("attribute") && contains(keep, name)) return of(callee.field("object"));
    if (callee.is("identifier") && is_parameter_or_local(callee)) return made_by_variable(callee);
    if (Receiver made = named(callee); !made.any) return made;
    return of_function(std::string(name));
  }

  /// By its annotation, or what it returns.
  Receiver of_function(const std::string& name) {
    Receiver together;
    const auto& functions = index_.functions_named(name);
    for (const Node& function : functions) {
      Receiver found = annotated(function.field("return_type"));
      add(together, found.any ? returned(function) : found);
    }
    return functions.empty() ? anything : together;
  }

  Receiver returned(const Node& function) {
    std::vector<Node> values;
    for (const Node& each : function.field("body").all("return_statement"))
      if (!each.children().empty()) values.push_back(each.children().front());
    return values.empty() ? anything : all(values);
  }

  /// A class that a variable holds: `model_cls(**kwargs)`.
  Receiver made_by_variable(const Node& variable) {
    Receiver together;
    for (const Node& type : values_of(variable, together)) {
      if (type.is("identifier") && is_parameter_or_local(type))
        add(together, ++depth_ < max_search_depth ? made_by_variable(type) : anything), --depth_;
      else if (type.is("conditional_expression"))
        for (const Node& each : {type.children().front(), type.children().back()})
          add(together, made_by_class(each));
      else
        add(together, made_by_class(type));
    }
    return together;
  }

  Receiver made_by_class(const Node& type) {
    Receiver made = named(type);
    return made.any ? of_function(std::string(last_name_of(type))) : made;
  }

  static bool is_parameter_or_local(const Node& name) {
    const Node scope = scope_of(name);
    return parameter_of(scope, name.text()) ||
           (scope.is("function_definition") && is_assigned_in_its_scope(name));
  }

  /// All that a variable is given; what cannot be told is added to the receiver.
  std::vector<Node> values_of(const Node& variable, Receiver& unknown) {
    const Node scope = scope_of(variable);
    std::vector<Node> values;
    for (const Node& use : scope.all("identifier")) {
      if (unknown.any) break;
      if (use.text() != variable.text() || is_read(use) || is_named_field(use) ||
          !(scope_of(use) == scope))
        continue;
      const Node around = binding_of(use);
      if ((around.field("right") && around.field("right").contains(variable)) ||
          is_later(around, variable))
        continue;
      if (around.is("assignment") && around.field("left") == use) {
        if (around.field("right")) values.push_back(around.field("right"));
      } else if (!use.around("parameters")) {
        add(unknown, anything);
      }
    }
    const Node parameter = parameter_of(scope, variable.text());
    if (!parameter) {
      if (values.empty()) add(unknown, anything);
      return values;
    }
    if (!unknown.any)
      for (const Node& each : passed_as(parameter, scope, unknown)) values.push_back(each);
    return values;
  }

  /// The statement that gives a variable its value.
  static Node binding_of(const Node& use) {
    Node around = use.parent();
    while (around.is("pattern_list") || around.is("tuple_pattern")) around = around.parent();
    return around;
  }

  /// Whether a statement only runs after a variable was read.
  static bool is_later(const Node& binding, const Node& variable) {
    if (binding.begin() < variable.begin()) return false;
    for (Node around = binding.parent(); around; around = around.parent())
      if ((around.is("for_statement") || around.is("while_statement")) && around.contains(variable))
        return false;
    return true;
  }

  Receiver of_name(const Node& name) {
    if (const Node guard = guarded_classes(name))
      if (const Receiver known = named(guard); !known.any) return known;
    Receiver found;
    const auto values = values_of(name, found);
    if (!found.any) add(found, all(values));
    return found;
  }

  std::vector<Node> passed_as(const Node& parameter, const Node& function, Receiver& unknown) {
    const Node own = name_of_parameter(parameter);
    const Node type = function.around("class_definition");
    if (own.text() == "self" && type) {
      add(unknown, {false, false, {name_of(type)}});
      return {};
    }
    if (parameter.is("list_splat_pattern") || parameter.is("dictionary_splat_pattern")) {
      add(unknown, anything);
      return {};
    }
    if (Receiver known = annotated(parameter.field("type")); !known.any) {
      add(unknown, known);
      return {};
    }
    const bool constructor = name_of(function) == "__init__" && type;
    return passed_by_callers(constructor ? name_of(type) : name_of(function), own.text(), function,
                             unknown);
  }

  /// Where nobody calls it, a caller outside the source does.
  std::vector<Node> passed_by_callers(const std::string& called, std::string_view parameter,
                                      const Node& function, Receiver& unknown) {
    std::vector<Node> values;
    std::size_t callers = 0;
    for (const Node& use : index_.uses_of(called)) {
      if (unknown.any) break;
      if (!may_name(use, function, index_)) continue;
      const Node call = call_of(use);
      if (!call && is_mention(use)) continue;
      for (const Node& each : call ? std::vector{call} : calls_of_alias(use)) {
        ++callers;
        const Node given = argument_for(parameter, each, function);
        if (given && !(given.text() == parameter && scope_of(given) == function))
          values.push_back(given);
        if (!given && !has_fallback(function, parameter)) add(unknown, anything);
      }
      if (!call && calls_of_alias(use).empty()) add(unknown, anything);
    }
    if (callers == 0) add(unknown, {false, true, {}});
    return values;
  }

  /// Of `cls = Net` in the same function: `cls(x)`.
  static std::vector<Node> calls_of_alias(const Node& use) {
    Node assigned = use.parent();
    while (assigned && !assigned.is("assignment") && !assigned.is("block"))
      assigned = assigned.parent();
    std::vector<Node> calls;
    if (!assigned.is("assignment") || !assigned.field("left").is("identifier")) return calls;
    for (const Node& call : scope_of(use).all("call"))
      if (call.field("function").text() == assigned.field("left").text()) calls.push_back(call);
    return calls;
  }

  static bool has_fallback(const Node& function, std::string_view parameter) {
    return static_cast<bool>(parameter_of(function, parameter).field("value"));
  }

  /// What its class, or one of the same family, ever gives it.
  Receiver of_attribute(const Node& attribute) {
    const Receiver owners = of(attribute.field("object"));
    if (owners.any || owners.from_outside || owners.classes.empty())
      return of_attribute_anywhere(attribute);
    Receiver found;
    std::vector<Node> values;
    for (const std::string& owner : owners.classes)
      for (const Node& type : index_.classes_named(owner)) {
        const ClassFamily& family = index_.family_of(type);
        for (const std::string& name : family.classes)
          for (const Node& each : index_.classes_named(name))
            add_given(each, attribute.field("attribute").text(), values, found);
      }
    if (values.empty()) return anything;
    add(found, all(values));
    return found;
  }

  /// Of whatever class: if all that the source ever assigns to an attribute of the name are
  /// containers.
  Receiver of_attribute_anywhere(const Node& attribute) {
    std::vector<Node> values;
    for (const Node& use : index_.uses_of(std::string(attribute.field("attribute").text()))) {
      const Node assigned = use.parent().parent();
      if (!is_named_field(use) || !assigned.is("assignment") ||
          !(assigned.field("left") == use.parent()))
        continue;
      if (assigned.field("right")) values.push_back(assigned.field("right"));
    }
    if (values.empty()) return anything;
    const Receiver found = all(values);
    return found.classes.empty() ? found : anything;
  }

  void add_given(const Node& type, std::string_view attribute, std::vector<Node>& values,
                 Receiver& found) {
    for (const Node& each : type.all("assignment")) {
      const Node left = each.field("left");
      if (left.is("attribute") && left.field("attribute").text() == attribute &&
          each.field("right"))
        values.push_back(each.field("right"));
      if (!left.is("pattern_list")) continue;
      const auto targets = left.children();
      for (std::size_t i = 0; i < targets.size(); ++i)
        if (targets[i].is("attribute") && targets[i].field("attribute").text() == attribute)
          add_element(each.field("right"), i, values, found);
    }
  }

  /// An element of the tuple that a function returns.
  void add_element(const Node& value, std::size_t place, std::vector<Node>& values,
                   Receiver& found) {
    const std::string name(called_name(value));
    const auto& functions = index_.functions_named(name);
    if (!value.is("call") || functions.empty()) return add(found, anything);
    for (const Node& function : functions)
      for (const Node& each : function.field("body").all("return_statement")) {
        const auto parts =
            each.children().empty() ? std::vector<Node>() : each.children().front().children();
        if (place < parts.size())
          values.push_back(parts[place]);
        else
          add(found, anything);
      }
  }

  SourceIndex& index_;
  int depth_ = 0;
  int steps_ = 0;
  std::set<std::tuple<const std::string*, NodeKey, std::string>> active_; ///< in their functions
};

bool is_container(const Node& type) { return contains(containers_of_torch, last_name_of(type)); }

/// Whether a class, or a tuple of them, is of torch's containers, or a text that stands for some.
bool are_containers(const Node& types) {
  if (types.is("string")) return true;
  if (!types.is("tuple")) return is_container(types);
  const auto all = types.children();
  return std::all_of(all.begin(), all.end(), is_container);
}

/// A variable is what it is assigned.
bool are_containers_in(const Node& scope, const Node& types) {
  if (!types.is("identifier")) return are_containers(types);
  bool any = false;
  for (const Node& each : scope.all("assignment")) {
    if (each.field("left").text() != types.text()) continue;
    if (!are_containers(each.field("right"))) return false;
    any = true;
  }
  return any;
}

} // namespace

Receiver receiver_of_look(const Node& expression, SourceIndex& index) {
  const Node guard = guarded_classes(expression);
  if (guard && are_containers_in(scope_of(expression), guard)) return nothing;
  return Receivers(index).of(expression);
}

bool is_part_of_others(const std::string& type, SourceIndex& index) {
  for (const Node& use : index.uses_of(type)) {
    const Node around = use.around("class_definition");
    if (around && name_of(around) != type && call_of(use)) return true;
  }
  return false;
}

} // namespace model_validator::fixes
