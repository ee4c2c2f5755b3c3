#include "fixes/constructor_site.h"

#include "fixes/python/imports.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace model_validator::fixes {
namespace {

/// What `;` joins to a statement.
Node last_on_its_line(const Node& statement) {
  Node last = statement;
  for (const Node& next : statement.parent().children())
    if (next.begin() > last.begin() && next.first_line() == last.last_line()) last = next;
  return last;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t") == std::string::npos;
}

bool calls_base_init(const Node& statement) {
  for (const Node& call : statement.all("call"))
    if (call.field("function").text().ends_with("__init__")) return true;
  return false;
}

bool returns_early(const Node& init) {
  for (const Node& statement : init.all("return_statement"))
    if (statement.around("function_definition") == init) return true;
  return false;
}

/// The methods that a method calls or hands on; a call of `self` is one of `forward`.
void add_called(const Node& function, std::vector<std::string>& called) {
  const auto parameters = function.field("parameters").children();
  const std::string self(parameters.empty() ? "" : parameters.front().text());
  for (const Node& call : function.all("call"))
    if (call.field("function").text() == self) called.emplace_back("forward");
  for (const Node& use : function.all("attribute")) {
    const std::string_view object = use.field("object").text();
    if (object == self || object == "super()") called.emplace_back(use.field("attribute").text());
  }
}

/// The methods of classes that one of them reaches, itself among them.
std::set<std::string> reached_from(const std::string& method, const std::vector<Node>& types) {
  std::set<std::string> reached;
  std::vector<std::string> open = {method};
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (reached.count(name) != 0) continue;
    for (const Node& type : types)
      if (const Node function = find_method(type, name)) {
        reached.insert(name);
        add_called(function, open);
      }
  }
  return reached;
}

/// A module is called for each child of these, so that a further child changes what they do.
bool is_container(const Node& type) {
  return std::ranges::any_of(type.field("superclasses").children(), [](const Node& base) {
    const std::string_view name = base.text();
    return name.ends_with("Sequential") || name.ends_with("ModuleList") ||
           name.ends_with("ModuleDict");
  });
}

bool runs_over_children(const Node& type) {
  constexpr auto& calls = word_array<"self.children self.named_children self.items self.values">;
  const auto any = [&type](const char* kind, const char* field, const auto& is_meant) {
    return std::ranges::any_of(
        type.all(kind), [&](const Node& each) { return is_meant(each.field(field).text()); });
  };
  return any("call", "function", [](auto callee) { return contains(calls, callee); }) ||
         any("attribute", "attribute", [](auto name) { return name == "_modules"; }) ||
         any("for_statement", "right", [](auto over) { return over == "self"; });
}

ConstructorSite refused(std::string reason) {
  ConstructorSite site;
  site.refusal = std::move(reason);
  return site;
}

/// `nn.Module` ends the chain of constructors: bases after it are not called.
bool ends_chain(const Node& base) {
  const std::string_view text = base.text();
  return text == "Module" || text.ends_with(".Module");
}

/// A class of the file that derives from a type without running its constructor.
Node does_not_run_init_of(const Node& type) {
  std::vector<Node> open = {type};
  const auto all = type.tree().root().all("class_definition");
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const Node& other : all) {
      if (contains(open, other)) continue;
      const auto named = other.field("superclasses").children();
      const std::string name = name_of(open[i]);
      const auto base =
          std::ranges::find_if(named, [&](const Node& each) { return each.text() == name; });
      if (base == named.end()) continue;
      if (!runs_init_of(other, *base)) return other;
      open.push_back(other);
    }
  return {};
}

/// The class of the file that would run a new child of a type's instances; no node for none.
Node runs_over_new_child(const Node& type) {
  for (const Node& other : type.tree().root().all("class_definition"))
    if (other == type || derives_from(type, other) || derives_from(other, type))
      if (is_container(other) || runs_over_children(other)) return other;
  return {};
}

/// Of classes that hold values.
constexpr auto& plain_bases =
    word_array<"NamedTuple TypedDict tuple dict list str int Enum object Tensor">;

ConstructorSite in_init(const Node& init, const Node& type) {
  const auto parameters = init.field("parameters").children();
  const auto statements = init.field("body").children();
  if (parameters.empty() || statements.empty()) return refused("its `__init__` is empty");
  ConstructorSite site;
  site.self = parameters.front().text();
  const auto base = std::ranges::find_if(statements, calls_base_init);
  if (base == statements.end())
    return refused("its `__init__` does not call that of its base class");
  site.one_line = !is_blank(indent_of(statements.front()));
  const Node last = is_left_early(type) ? *base : statements.back();
  site.offset = (site.one_line ? last : last_on_its_line(last)).end();
  site.indent = site.one_line ? "" : indent_of(statements.front());
  return site;
}

/// The first of the comments that stand right above a statement, or the statement.
Node first_comment_above(const Node& statement) {
  Node first = statement;
  // A comment before a block's first statement stands before the block.
  for (const Node& around : {statement.parent(), statement.parent().parent()}) {
    const auto tokens = around.tokens();
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token)
      if (token->begin() < first.begin() && token->is("comment") &&
          token->last_line() == first.first_line() - 1 && token->column() == statement.column())
        first = *token;
  }
  return first;
}

/// The base class whose signature a constructor that passes everything on would hide; empty where
/// that of `nn.Module`, which takes anything, is all there is.
std::string base_with_signature(const Node& type) {
  for (const Node& base : type.field("superclasses").children())
    if (!base.is("keyword_argument")) return ends_chain(base) ? "" : std::string(base.text());
  return {};
}

ConstructorSite in_new_init(const Node& type) {
  const auto statements = type.field("body").children();
  for (const Node& statement : statements) {
    if (!undecorated(statement).is("function_definition")) continue;
    ConstructorSite site;
    site.offset = first_comment_above(statement).begin();
    site.indent = indent_of(statement);
    site.base = base_with_signature(type);
    site.new_init = true;
    return site;
  }
  return refused("it has no `__init__`");
}

} // namespace

ConstructorSite constructor_site(const Node& type) {
  if (type.field("superclasses").children().empty())
    return refused("`" + name_of(type) + "` is a plain class, not a module");
  for (const Node& base : type.field("superclasses").children())
    if (contains(plain_bases, last_name_of(base)))
      return refused("`" + name_of(type) + "` is a plain class, not a module");
  if (const Node other = does_not_run_init_of(type))
    return refused("`" + name_of(other) + "`, which derives from `" + name_of(type) +
                   "`, does not run its `__init__`");
  if (const Node runner = runs_over_new_child(type))
    return refused("`" + name_of(runner) +
                   "` iterates over its children, which would include a new one");
  const Node decorated = type.parent();
  if (decorated.is("decorated_definition") && decorated.text().find("dataclass") < 20)
    return refused("`" + name_of(type) + "` is a dataclass, whose `__init__` is generated");
  const Node init = find_method(type, "__init__");
  return init ? in_init(init, type) : in_new_init(type);
}

bool runs_itself(const std::vector<Node>& relatives) {
  const auto made = reached_from("__init__", relatives);
  const auto run = reached_from("forward", relatives);
  return std::ranges::any_of(
      run, [&](const auto& each) { return each != "__init__" && made.count(each) != 0; });
}

Node hands_itself_on(const Node& type) {
  // The last is torchvision's, which reads the class.
  constexpr auto& asks = word_array<"isinstance issubclass hasattr getattr setattr type id print "
                                    "super __init__ _log_api_usage_once">;
  const Node init = find_method(type, "__init__");
  const auto parameters = init.field("parameters").children();
  if (parameters.empty()) return {};
  for (const Node& call : init.all("call")) {
    const bool is_called = call.parent().field("function") == call;
    if (contains(asks, called_name(call)) && !(called_name(call) == "getattr" && is_called))
      continue;
    for (const Node& given : call.field("arguments").children())
      if ((given.is("keyword_argument") ? given.field("value") : given).text() ==
          parameters.front().text())
        return call;
  }
  return {};
}

bool is_left_early(const Node& type) {
  return returns_early(find_method(type, "__init__")) || runs_itself({type});
}

bool runs_init_of(const Node& type, const Node& named) {
  for (const Node& base : type.field("superclasses").children()) {
    if (base == named) break;
    if (ends_chain(base)) return false;
  }
  const Node init = find_method(type, "__init__");
  if (!init) return true;
  for (const Node& call : init.all("call")) {
    const std::string_view callee = call.field("function").text();
    if (!callee.ends_with(".__init__")) continue;
    const std::string_view of = callee.substr(0, callee.rfind('.'));
    if (of == "super()" || of == named.text() || of.starts_with("super(" + name_of(type) + ',') ||
        of.starts_with("super(__class__"))
      return true;
  }
  return false;
}

std::vector<Node> assignments_of(const Node& type, std::string_view attribute) {
  std::vector<Node> found;
  for (const Node& assignment : type.all("assignment")) {
    const Node left = assignment.field("left");
    if (left.is("attribute") && left.field("object").is("identifier") &&
        left.field("attribute").text() == attribute && assignment.field("right") &&
        assignment.parent().is("expression_statement"))
      found.push_back(assignment);
  }
  return found;
}

TextEdit assignments_at(const ConstructorSite& site, const std::vector<std::string>& assignments,
                        const std::string& source) {
  std::string text;
  if (site.one_line) {
    for (const std::string& each : assignments) text += "; " + site.self + '.' + each;
    return {site.offset, site.offset, text, 0};
  }
  if (!site.new_init) {
    for (const std::string& each : assignments) text += '\n' + site.indent + site.self + '.' + each;
    const std::size_t at = end_of_line(source, site.offset);
    return {at, at, text, 0};
  }
  const std::string inner = site.indent + (site.indent.ends_with('\t') ? "\t" : "    ");
  if (!site.base.empty()) text = '@' + site.wraps + '(' + site.base + ".__init__)\n" + site.indent;
  text += "def __init__(self, *args, **kwargs):\n" + inner + "super().__init__(*args, **kwargs)\n";
  for (const std::string& each : assignments) text += inner + "self." + each + '\n';
  return {site.offset, site.offset, text + '\n' + site.indent, 0};
}

TextEdit copy_behind(const Node& assignment, const std::string& attribute, const std::string& value,
                     const std::string& source) {
  const Node statement = assignment.parent();
  const std::string self(assignment.field("left").field("object").text());
  if (!stands_alone(assignment))
    return {statement.end(), statement.end(), "; " + self + '.' + attribute + " = " + value, 0};
  const std::size_t at = end_of_line(source, last_on_its_line(statement).end());
  return {at, at, '\n' + indent_of(statement) + self + '.' + attribute + " = " + value, 0};
}

bool may_hold_module(const Node& assignment) {
  const Node function = assignment.around("function_definition");
  if (name_of(function) != "__init__") return true;
  for (const Node& statement : function.field("body").children())
    if (calls_base_init(statement)) return statement.end() <= assignment.begin();
  return false;
}

bool stands_alone(const Node& assignment) { return is_blank(indent_of(assignment.parent())); }

} // namespace model_validator::fixes
