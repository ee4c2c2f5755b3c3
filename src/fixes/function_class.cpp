#include "fixes/function_class.h"

#include "fixes/call_arguments.h"
#include "fixes/module_words.h"
#include "fixes/python/scope.h"
#include "validators/suggestions/functional_modules.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <limits>

namespace model_validator::fixes {
namespace {

/// What a copy would do differently, or what a method may not hold.
constexpr std::array kept_apart = {"yield", "await", "global_statement", "nonlocal_statement"};
constexpr auto& names_kept_apart = word_array<"super __class__ locals vars eval exec">;

/// An `__init__` that ends its class may be given lines at the same place.
constexpr std::ptrdiff_t behind_all = std::numeric_limits<std::ptrdiff_t>::max();

Node docstring_of(const Node& function) {
  const auto statements = function.field("body").children();
  if (statements.size() < 2 || !statements.front().is("expression_statement")) return {};
  const Node text = statements.front().children().front();
  return text.is("string") ? text : Node();
}

/// The decorators of a function, but for what makes it one of its class.
std::vector<Node> decorators_of(const Node& function) {
  const Node around = function.parent();
  if (!around.is("decorated_definition")) return {};
  std::vector<Node> found = around.children();
  std::erase_if(found, [](const Node& each) {
    return !each.is("decorator") || each.text() == "@staticmethod";
  });
  return found;
}

/// Whether all that a call is given means the same where a class of its own stands: not `FLAG` of
/// the class around it.
bool is_given_anywhere(const Node& call, const Imports& imports) {
  return std::ranges::all_of(call.field("arguments").all("identifier"), [&](const Node& name) {
    const Node around = name.parent();
    if (around.is("keyword_argument") && around.field("name") == name) return true;
    if (around.is("attribute") && around.field("attribute") == name) return true;
    return imports.resolve(name.text()).starts_with("torch");
  });
}

/// `@torch.no_grad()`, `@torch.inference_mode()`: what a method runs under as well.
bool is_of_torch(const Node& decorator, const Imports& imports) {
  constexpr auto& modes = word_array<"autocast enable_grad inference_mode no_grad">;
  const Node value = decorator.children().front();
  const std::string full =
      imports.resolve((value.is("call") ? value.field("function") : value).text());
  return full.starts_with("torch.") && contains(modes, last_part(full)) &&
         (!value.is("call") || is_given_anywhere(value, imports));
}

bool holds_what_is_kept_apart(const Node& function) {
  if (function.text().starts_with("async")) return true;
  return std::ranges::any_of(kept_apart,
                             [&](const char* type) { return !function.all(type).empty(); }) ||
         std::ranges::any_of(names_kept_apart, [&](std::string_view name) {
           return !function.identifiers(name).empty();
         });
}

/// The function of the same file that a decorator is: `@timed`.
Node decorating(const Node& decorator) {
  const Node value = decorator.children().front();
  return value.is("identifier") ? function_of_file(value) : Node();
}

/// `inner` of a decorator that makes it, returns it and does nothing else.
Node made_by(const Node& decorating) {
  auto statements = decorating.field("body").children();
  if (docstring_of(decorating)) statements.erase(statements.begin());
  const Node inner = statements.empty() ? Node() : undecorated(statements.front());
  const bool is_returned = inner.is("function_definition") && statements.size() == 2 &&
                           statements.back().text() == "return " + name_of(inner);
  const bool is_plain = std::ranges::all_of(decorators_of(inner), [](const Node& each) {
    return called_name(each.children().front()) == "wraps";
  });
  return is_returned && is_plain ? inner : Node();
}

/// Whether a wrapper calls a function once, with all that it is given, and does no more with it.
bool only_calls(const Node& wrapper, std::string_view function) {
  const auto uses = wrapper.identifiers(function);
  const Node call = uses.empty() ? Node() : uses.front().parent();
  return uses.size() == 1 && call.field("function") == uses.front() &&
         call.field("arguments").text() == wrapper.field("parameters").text();
}

/// Whether a decorator does the same for a method, whose instance it only passes on: that of `def
/// inner(*args, **kwargs)` with `fn(*args, **kwargs)`.
bool passes_all_on(const Node& decorator) {
  const Node function = decorating(decorator);
  const auto given = function.field("parameters").children();
  const Node inner = made_by(function);
  const auto passed = inner.field("parameters").children();
  if (given.size() != 1 || !given.front().is("identifier") || passed.size() != 2 ||
      !passed.front().is("list_splat_pattern") || !passed.back().is("dictionary_splat_pattern") ||
      holds_what_is_kept_apart(inner) || !only_calls(inner, given.front().text()))
    return false;
  const auto starred = inner.identifiers(passed.front().children().front().text());
  return std::ranges::all_of(starred, [](const Node& use) {
    return use.parent().is("list_splat") || use.parent().is("list_splat_pattern");
  });
}

constexpr std::string_view registers_function = "register_notrace_function";

/// timm's, which returns the function. A class has a decorator of its own.
bool is_registrar(const Node& decorator, const Imports& imports) {
  const std::string full = imports.resolve(decorator.children().front().text());
  return full.starts_with("timm.") && last_part(full) == registers_function;
}

/// `@torch.jit.script`, and `@script_if_tracing`, of which speechbrain and asteroid have their own.
bool compiles(const Node& decorator, const Imports& imports) {
  const Node value = decorator.children().front();
  return imports.resolve(value.text()) == "torch.jit.script" ||
         last_name_of(value) == "script_if_tracing";
}

/// Whether a trace records the same of a function, compiled or not: its code decides nothing, and
/// takes no number out of a tensor.
bool is_traced_alike(const Node& function) {
  constexpr auto& decisions =
      word_array<"if_statement for_statement while_statement conditional_expression "
                 "boolean_operator list_comprehension generator_expression assert_statement "
                 "try_statement with_statement lambda">;
  constexpr auto& taken_out = word_array<"bool float int item print tolist">;
  const Node body = function.field("body");
  return std::ranges::all_of(decisions, [&](auto type) { return body.all(type).empty(); }) &&
         std::ranges::none_of(body.all("call"), [&](const Node& each) {
           return contains(taken_out, called_name(each));
         });
}

bool is_decorated(const Node& function, const Imports& imports) {
  return !std::ranges::all_of(decorators_of(function), [&](const Node& each) {
    if (compiles(each, imports)) return is_traced_alike(function);
    return is_of_torch(each, imports) || is_registrar(each, imports) || passes_all_on(each);
  });
}

/// A default is computed once more, for the copy.
bool has_computed_default(const Node& function) {
  return std::ranges::any_of(function.field("parameters").children(), [](const Node& each) {
    const Node value = each.field("value");
    return value && !is_literal(value) && !value.is("identifier") && !value.is("attribute");
  });
}

bool is_at_top(const Node& definition) {
  const Node around = definition.parent();
  return (around.is("decorated_definition") ? around.parent() : around).is("module");
}

/// Its lines are indented once more, which a text of several lines would show.
bool holds_long_text(const Node& function) {
  const Node docstring = docstring_of(function);
  return std::ranges::any_of(function.all("string"), [&](const Node& each) {
    return each.first_line() != each.last_line() && !(docstring && docstring.contains(each));
  });
}

/// The function may keep something in its own attributes.
bool mentions_itself(const Node& function) {
  return std::ranges::any_of(function.identifiers(name_of(function)), [&](const Node& use) {
    return !(use == function.field("name")) && !is_named_field(use);
  });
}

/// Whether a name at the top of a file gets a value there: not `f` of `from layers.f import g`.
bool binds_at_top(const Node& use) {
  const Node around = use.parent();
  return binds(use) && !is_named_field(use) && scope_of(around).is("module") &&
         !around.around("class_definition") && !(around.parent().field("module_name") == around);
}

/// Whether code of its file gives the name of a function to something else: `f = fast(f)`.
bool is_name_given_again(const Node& function) {
  const auto uses = function.tree().root().identifiers(name_of(function));
  return std::ranges::any_of(uses, [&](const Node& use) {
    return use.parent().is("global_statement") ||
           (!(use == function.field("name")) && binds_at_top(use));
  });
}

/// The function as a method of that name: without what says what the function is for.
std::vector<TextEdit> edits_to_method(const Node& function) {
  std::vector<TextEdit> edits;
  const Node name = function.field("name");
  edits.push_back({name.begin(), name.end(), "forward", 0});
  const Node parameters = function.field("parameters");
  const auto all = parameters.children();
  if (all.empty() || all.front().text() != "self")
    edits.push_back(
        {parameters.begin() + 1, parameters.begin() + 1, all.empty() ? "self" : "self, ", 0});
  if (const Node text = docstring_of(function)) {
    const std::string& source = function.source();
    const Node next = function.field("body").children()[1];
    const std::size_t begin = start_of_line(source, text.begin());
    edits.push_back({begin, std::max(begin, start_of_line(source, next.begin())), "", 0});
  }
  return edits;
}

std::string with_indent(const std::string& text, const std::string& indent) {
  std::string lines;
  bool begins = true;
  for (const char c : text) {
    if (begins && c != '\n' && c != '\r') lines += indent;
    begins = c == '\n';
    lines += c;
  }
  return lines;
}

/// The text of a function with edits that were made for its file, behind those of its decorators
/// that a method keeps.
std::optional<std::string> edited(const Node& function, std::vector<TextEdit> edits,
                                  const Imports& imports) {
  for (TextEdit& each : edits) {
    each.begin -= function.begin();
    each.end -= function.begin();
  }
  sort_edits(edits);
  if (edits_overlap(edits)) return std::nullopt;
  std::string text;
  for (const Node& each : decorators_of(function))
    if (each.text().find(registers_function) == std::string_view::npos && !compiles(each, imports))
      text += std::string(each.text()) + '\n' + indent_of(function);
  return text + apply_edits(std::string(function.text()), edits);
}

} // namespace

std::string obstacle_to_class_of(const Node& function, const Imports& imports) {
  const std::string name = '`' + name_of(function) + '`';
  const Node type = class_holding(function);
  if (!is_at_top(type ? type : function)) return name + " is defined within other code";
  if (is_decorated(function, imports)) return name + " is decorated";
  if (has_computed_default(function)) return name + " computes defaults of its arguments";
  if (!type && !function.identifiers("self").empty()) return name + " has a name `self`";
  if (mentions_itself(function)) return name + " names itself";
  if (!type && is_name_given_again(function)) return name + " is given another value";
  if (holds_long_text(function)) return name + " holds a text of several lines";
  if (holds_what_is_kept_apart(function)) return name + " is more than a plain function";
  return {};
}

bool is_compiled(const Node& function, const Imports& imports) {
  return std::ranges::any_of(decorators_of(function),
                             [&](const Node& each) { return compiles(each, imports); });
}

std::optional<Import> registrar_of_class(const Node& function, const Imports& imports) {
  for (const Node& each : decorators_of(function))
    if (is_registrar(each, imports)) {
      const std::string full = imports.resolve(each.children().front().text());
      return Import{full.substr(0, full.rfind('.')), "register_notrace_module"};
    }
  return std::nullopt;
}

bool is_in_decorator_of(const Node& function, int line) {
  return std::ranges::any_of(decorators_of(function), [line](const Node& each) {
    const Node definition = decorating(each);
    return definition && definition.first_line() <= line && line <= definition.last_line();
  });
}

std::string class_name_for(const Node& function) {
  return capitalised(name_of(function)) + "Module";
}

std::optional<TextEdit> class_behind(const Node& function, FunctionClass type,
                                     const Imports& imports) {
  const bool is_method = function.column() > 0;
  const std::string indent = indent_of(function.field("body").children().front());
  const std::string unit = is_method                  ? indent_of(function)
                           : indent.starts_with('\t') ? "\t"
                                                      : "    ";
  for (TextEdit& each : edits_to_method(function)) type.edits.push_back(std::move(each));
  const auto method = edited(function, std::move(type.edits), imports);
  if (!method) return std::nullopt;
  std::string counts;
  for (const std::string& each : type.counts) counts += ", " + each + "=0";
  std::string text = "\n\n\n" + type.decorator + "class " + type.name + '(' + type.module + "):\n" +
                     unit + "\"\"\"`" + name_of(function) +
                     "`, with modules for what it runs.\"\"\"\n\n" + unit + "def __init__(self" +
                     counts + "):\n" + unit + unit + "super().__init__()\n";
  for (const std::string& each : type.assignments) text += unit + unit + "self." + each + '\n';
  // The lines of a method have their indent, but for the first.
  text += '\n' + (is_method ? unit + *method : with_indent(*method, unit));
  const Node definition = is_method ? class_holding(function) : function;
  const std::size_t at = end_of_line(function.source(), definition.end());
  return TextEdit{at, at, std::move(text), behind_all};
}

} // namespace model_validator::fixes
