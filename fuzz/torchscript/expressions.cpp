#include "expressions.h"

#include "../guard.h"
#include "operators.h"

#include <cmath>
#include <cstdio>

namespace fuzz {
namespace {

using Kind = Type::Kind;

/// The type that a letter of a pattern stands for.
Type type_of(char letter) {
  switch (letter) {
  case 'i': return {Kind::integer, {}, {}};
  case 'f': return {Kind::real, {}, {}};
  case 'b': return {Kind::boolean, {}, {}};
  case 's': return {Kind::text, {}, {}};
  case 'L': return list_of({Kind::integer, {}, {}});
  case 'M': return list_of({});
  case 'D': return {Kind::dict, {{}}, {}};
  case 'O': return {Kind::optional, {{}}, {}};
  default: return {};
  }
}

std::string spelled_real(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  char text[64];
  std::snprintf(text, sizeof text, "%.17e", number);
  return text;
}

} // namespace

std::string python_text(std::string_view text) {
  std::string code = "\"";
  for (const char c : text) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\%03o", static_cast<unsigned char>(c));
    const bool plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
    code += plain ? std::string(1, c) : std::string(escaped);
  }
  return code + "\"";
}

Type Expressions::type(int depth) {
  switch (choices_.below(depth > 0 ? 14 : 6)) {
  default: return {};
  case 2: return type_of('i');
  case 3: return type_of('f');
  case 4: return type_of('b');
  case 5: return type_of('s');
  case 6: return type_of('L');
  case 7: return type_of('M');
  case 8: return type_of('D');
  case 9: return type_of('O');
  case 10: return list_of(type(depth - 1));
  case 11: return {Kind::tuple, {type(depth - 1), type(depth - 1)}, {}};
  case 12: return {Kind::optional, {type(0)}, {}};
  case 13: return {Kind::dict, {type(depth - 1)}, {}};
  }
}

std::string Expressions::literal(const Type& type) {
  switch (type.kind) {
  case Kind::integer: return std::to_string(choices_.integer());
  case Kind::real: return spelled_real(choices_.real());
  case Kind::boolean: return choices_.of({"True", "False"});
  case Kind::text: return python_text(choices_.name());
  case Kind::none:
  case Kind::optional: return "None";
  case Kind::list: return "annotate(" + spelled(type) + ", [])";
  case Kind::dict: return "annotate(" + spelled(type) + ", {})";
  case Kind::tuple: {
    std::string parts;
    for (const Type& part : type.parts) parts += literal(part) + ", ";
    return "(" + parts + ")";
  }
  case Kind::tensor:
  case Kind::object: break;
  }
  return "uninitialized(" + spelled(type) + ")";
}

std::string Expressions::fill(std::string_view pattern, const Scope& scope, int depth) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$' || i + 1 == pattern.size())
      text += pattern[i];
    else
      text += of(type_of(pattern[++i]), scope, depth);
  }
  return text;
}

std::string Expressions::collection(const Type& type, const Scope& scope, int depth) {
  std::string parts;
  for (const Type& part : type.parts) parts += of(part, scope, depth - 1) + ", ";
  const std::string first = type.parts.empty() ? "" : of(type.parts[0], scope, depth - 1);
  switch (type.kind) {
  case Kind::list: return "[" + first + ", " + first + "]";
  case Kind::dict: return "{" + python_text(choices_.name()) + ": " + first + "}";
  case Kind::tuple: return "(" + parts + ")";
  case Kind::optional: return "annotate(" + spelled(type) + ", " + first + ")";
  default: return literal(type);
  }
}

std::string Expressions::call(const Callable& callee, const Scope& scope, int depth) {
  std::string arguments;
  for (const Type& taken : callee.takes) arguments += of(taken, scope, depth - 1) + ", ";
  return callee.name + "(" + arguments + ")";
}

std::string Expressions::of(const Type& type, const Scope& scope, int depth) {
  std::vector<const Variable*> variables;
  for (const Variable& variable : scope)
    if (variable.type == type) variables.push_back(&variable);
  // Recent variables are read most, so that little of the code is dead.
  const std::size_t back = choices_.one_in(3) ? choices_.below(variables.size()) : 0;
  const bool taken = !variables.empty() && (depth <= 0 || !choices_.one_in(2));
  if (taken) return variables[variables.size() - 1 - back]->name;
  if (depth <= 0) return literal(type);
  std::vector<const Callable*> callees;
  for (const Callable& callable : callables)
    if (callable.gives == type) callees.push_back(&callable);
  if (!callees.empty() && choices_.one_in(3)) return call(*choices_.among(callees), scope, depth);
  const bool number = type.kind == Kind::integer || type.kind == Kind::real;
  if (number && choices_.one_in(2)) return literal(type);
  const auto operators = operators_for(type);
  if (!operators.empty())
    return fill(operators[choices_.below(operators.size())], scope, depth - 1);
  return collection(type, scope, depth);
}

std::string Expressions::hostile_call() {
  const std::string path = python_text(canary());
  return choices_.of(
      {"torch.save(\"x\", " + path + ")",
       "torch.copy_(torch.from_file(" + path + ", True, 19, dtype=0), torch.tensor([1]))",
       "torch.fill_(torch.from_file(" + path + ", True, 4), 1)",
       "ops.aten.save(\"x\", " + path + ")", std::string("print(\"canary\")"),
       "torch.warn(" + path + ")"});
}

} // namespace fuzz
