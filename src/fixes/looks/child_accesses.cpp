#include "fixes/looks/child_accesses.h"

#include "fixes/looks/child_words.h"
#include "fixes/looks/function_references.h"
#include "fixes/python/scope.h"

namespace model_validator::fixes {
namespace {

using Value = ChildValue;
using Kind = Value::Kind;

const Value module_value{Kind::child, {}};
const Value named_child{Kind::tuple, {{Kind::name, {}}, module_value}};
const Value child_at_path{Kind::tuple, {{Kind::path, {}}, module_value}};
/// What holds a module's children in its `__dict__`.
constexpr std::string_view dictionary = "_modules";

/// What a method of modules yields.
std::optional<Value> yielded_by(std::string_view method) {
  if (method == "children" || method == "modules") return Value{Kind::many, {module_value}};
  if (method == "named_children") return Value{Kind::many, {named_child}};
  if (method == "named_modules") return Value{Kind::many, {child_at_path}};
  return std::nullopt;
}

bool is_deep(std::string_view method) { return method.ends_with("modules"); }

/// Functions that find the operations of a network by the names of its graph.
bool names_nodes(std::string_view function) {
  return function == "create_feature_extractor" || function == "get_graph_node_names";
}

class Accesses {
public:
  Accesses(SourceIndex& index, const Node& root) : index_(index), root_(root) {}

  std::vector<ChildAccess> find() {
    for (const Node& call : root_.all("call")) {
      const Node callee = call.field("function");
      if (callee.is("attribute"))
        of_method(call, callee.field("attribute").text(), callee.field("object"));
      else if (callee.is("call"))
        of_got_method(call, callee);
      of_function(call);
    }
    for (const Node& attribute : root_.all("attribute")) of_attribute(attribute);
    for (const Node& each : root_.all("assignment")) of_assignment(each.field("left"));
    for (const Node& text : root_.all("string"))
      if (literal_text(text) == dictionary) of_text(text);
    return std::move(found_);
  }

private:
  void add(const Node& expression, const Node& module, bool deep, Value value) {
    value.rooted = deep;
    found_.push_back({expression, module, deep, std::move(value)});
  }

  void add_unfollowed(const Node& expression, const Node& module, bool deep) {
    found_.push_back({expression, module, deep, {}, {}, {}, {}, true});
  }

  static Node first_argument(const Node& call) {
    const auto arguments = call.field("arguments").children();
    return arguments.empty() ? Node() : arguments.front();
  }

  bool is_module_class(const Node& object) const {
    return index_.imports_of(root_).resolve(object.text()).ends_with(".Module");
  }

  /// `net.children()`, `nn.Module.children(net)`
  void of_method(const Node& call, std::string_view method, const Node& object) {
    if (const auto value = yielded_by(method))
      add(call, is_module_class(object) ? first_argument(call) : object, is_deep(method), *value);
    else if (method == "trace" && called_name(object).ends_with("Tracer") && first_argument(call) &&
             name_of(call.around("function_definition")) != "symbolic_trace")
      add_unfollowed(call, first_argument(call), !traces_modules_alone(object));
    else if (method == "apply" && is_given_a_function(call))
      found_.push_back({call, object, true, {}, first_argument(call)});
  }

  /// `getattr(net, "children")()`
  void of_got_method(const Node& call, const Node& callee) {
    const auto arguments = callee.field("arguments").children();
    if (called_name(callee) != "getattr" || arguments.size() < 2) return;
    const std::string method = literal_text(arguments[1]).value_or("");
    if (const auto value = yielded_by(method))
      add(call, arguments.front(), is_deep(method), *value);
  }

  void of_function(const Node& call) {
    const std::string_view name = called_name(call);
    const Node first = first_argument(call);
    if (name.starts_with("register_module_") && name.ends_with("_hook"))
      return void(found_.push_back({call, {}, true, {}, {}, first}));
    if (!first) return;
    if (name == "methodcaller" && yielded_by(literal_text(first).value_or("")))
      add_unfollowed(call, {}, true);
    else if (name == "dir" && may_be_of_torch(first))
      add(call, first, false, {Kind::many, {{Kind::name}}});
    else if (name == "getmembers" && may_be_of_torch(first) && !asks_for_others(call))
      add(call, first, false, {Kind::many, {named_child}});
    else if (name == "symbolic_trace")
      add_unfollowed(call, first, !traces_modules_alone(call));
    else if (names_nodes(name) && has_literal_names(call))
      add_unfollowed(call, first, true);
  }

  /// Whether the tracer is one of the source that takes other modules for leaves: it sees the
  /// operations of the network's own `forward`, but not those of its parts.
  bool traces_modules_alone(const Node& call) {
    auto tracers = functions_named_by(call.field("function"), index_);
    for (const Node& type : index_.classes_named(std::string(called_name(call))))
      tracers.push_back(type);
    return !tracers.empty() && std::all_of(tracers.begin(), tracers.end(), [](const Node& tracer) {
      for (const Node& each : tracer.all("function_definition"))
        if (name_of(each) == "is_leaf_module")
          return each.text().find("return not isinstance(") != std::string_view::npos;
      return false;
    });
  }

  /// Many other things have attributes. Code for modules mentions torch; the name of an import
  /// stands for none.
  bool may_be_of_torch(const Node& object) const {
    const Node scope = scope_of(object);
    const std::string_view text = scope.text();
    return index_.imports_of(root_).resolve(object.text()).empty() && !is_torch(object) &&
           (text.find("nn.") != std::string_view::npos ||
            text.find(".Module") != std::string_view::npos ||
            text.find("setattr(") != std::string_view::npos);
  }

  /// `inspect.getmembers(x, inspect.isfunction)`
  static bool asks_for_others(const Node& call) {
    const auto arguments = call.field("arguments").children();
    return arguments.size() > 1 && arguments[1].text().starts_with("inspect.is");
  }

  /// Other names are those that a caller knows.
  static bool has_literal_names(const Node& call) {
    return !call.field("arguments").all("string").empty();
  }

  /// `net._modules`, and methods that are not called where they stand.
  void of_attribute(const Node& attribute) {
    const std::string_view name = attribute.field("attribute").text();
    const Node object = attribute.field("object");
    if (name == dictionary) return of_dictionary(attribute, object);
    if (!yielded_by(name) || attribute.parent().field("function") == attribute) return;
    // Trees of other things have children, too.
    if (is_module_class(object))
      add_unfollowed(attribute, {}, true);
    else if (name.starts_with("named_"))
      add_unfollowed(attribute, object, is_deep(name));
  }

  /// `nn.ReLU.forward = …`
  void of_assignment(const Node& target) {
    constexpr std::array runs = {"forward", "__call__", "_call_impl"};
    const Node type = target.field("object");
    if (contains(runs, target.field("attribute").text()) &&
        index_.imports_of(root_).resolve(type.text()).starts_with("torch.nn."))
      found_.push_back({target, {}, true, {}, {}, {}, type});
  }

  void of_dictionary(const Node& expression, const Node& module) {
    add(expression, module, false, {Kind::mapping, named_child.parts});
  }

  /// `vars(net)["_modules"]`, `net.__dict__.get("_modules")`, `getattr(net, "_modules")`
  void of_text(const Node& text) {
    const Node around = text.parent();
    if (around.is("subscript")) return of_dictionary(around, module_of(around.field("value")));
    if (around.is("comparison_operator")) return;
    const Node call = around.parent();
    if (!around.is("argument_list")) return add_unfollowed(text, {}, true);
    const Node callee = call.field("function");
    if (callee.text() == "getattr") return of_dictionary(call, first_argument(call));
    if (callee.field("attribute").text() == "get")
      return of_dictionary(call, module_of(callee.field("object")));
    add_unfollowed(text, {}, true);
  }

  /// Of `vars(net)` and `net.__dict__`.
  static Node module_of(const Node& attributes) {
    if (attributes.is("call") && called_name(attributes) == "vars")
      return first_argument(attributes);
    return attributes.field("attribute").text() == "__dict__" ? attributes.field("object") : Node();
  }

  /// `net.apply(init)`, unlike `Function.apply(x)`.
  bool is_given_a_function(const Node& call) const {
    const auto arguments = call.field("arguments").children();
    if (arguments.size() != 1) return false;
    const Node& given = arguments.front();
    if (given.is("lambda")) return root_.source().find("pandas") == std::string::npos;
    if (given.is("call")) return called_name(given) == "partial";
    return (given.is("identifier") || given.is("attribute")) &&
           !functions_named_by(given, index_).empty();
  }

  SourceIndex& index_;
  Node root_;
  std::vector<ChildAccess> found_;
};

} // namespace

std::vector<ChildAccess> child_accesses(const Node& root, SourceIndex& index) {
  return Accesses(index, root).find();
}

const std::vector<std::string>& texts_of_child_accesses() {
  static const std::vector<std::string> texts = {
      "children()",      "modules()",        ".named_children", ".named_modules",
      "Module.children", "Module.modules",   "\"children\"",    "'children'",
      "_children\"",     "_children'",       "modules\"",       "modules'",
      "_modules",        ".apply(",          " dir(",           "(dir(",
      "getmembers(",     "register_module_", "symbolic_trace(", "Tracer",
      ".forward =",      "__call__ =",       "_call_impl =",    "create_feature_extractor("};
  return texts;
}

} // namespace model_validator::fixes
