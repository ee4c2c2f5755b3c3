#include "statements.h"

namespace fuzz {
namespace {

using Kind = Type::Kind;

const Type integer{Kind::integer, {}, {}};
const Type boolean{Kind::boolean, {}, {}};
const Type text{Kind::text, {}, {}};

/// An expression that makes a variable larger, or different, each time it runs.
std::string grown(const Variable& variable, Choices& choices) {
  const std::string& v = variable.name;
  switch (variable.type.kind) {
  case Kind::tensor:
    return choices.of({"torch.add(" + v + ", " + v + ")", "torch.relu(" + v + ")",
                       "torch.cat([" + v + ", " + v + "])"});
  case Kind::integer:
    return choices.of(
        {"torch.mul(" + v + ", " + v + ")", "torch.add(" + v + ", 1)", "torch.mul(" + v + ", -3)"});
  case Kind::text:
  case Kind::list:
    return choices.of({"torch.add(" + v + ", " + v + ")", "torch.mul(" + v + ", 7)"});
  default: return v;
  }
}

} // namespace

std::string Statements::body(Scope scope, const Type& result) {
  result_ = result;
  values_ = 0;
  Lines lines;
  block(lines, scope, 4, 3);
  return lines + "    return " + expressions_.of(result, scope) + "\n";
}

void Statements::block(Lines& to, Scope& scope, std::size_t indent, int depth) {
  if (++blocks_ > 60) depth = 0;
  for (std::size_t i = 0, count = 1 + choices_.below(4); i < count; ++i)
    statement(to, scope, indent, depth);
}

void Statements::statement(Lines& to, Scope& scope, std::size_t indent, int depth) {
  const std::string margin(indent, ' ');
  switch (choices_.below(depth > 0 ? 18 : 12)) {
  default: return assign(to, scope, margin);
  case 2:
  case 3: return chain(to, scope, margin);
  case 4: return update(to, scope, margin);
  case 5:
  case 6: return change(to, scope, margin);
  case 7: return nest(to, scope, margin);
  case 8:
    if (choices_.one_in(3)) to += margin + "_ = " + expressions_.hostile_call() + "\n";
    if (choices_.one_in(8))
      to += margin + "ops.prim.RaiseException(" + expressions_.of(text, scope) + ", None)\n";
    return;
  case 9: return early_returns(to, scope, margin);
  case 12:
  case 13:
  case 14: return branch(to, scope, indent, depth);
  case 15:
  case 16: return loop(to, scope, indent, depth);
  case 17: return endless(to, scope, indent, depth);
  }
}

void Statements::assign(Lines& to, Scope& scope, const std::string& margin) {
  Variable made{fresh(), expressions_.type()};
  to += margin + made.name + " = " + expressions_.of(made.type, scope) + "\n";
  scope.push_back(std::move(made));
}

/// A tensor computed from the tensors before it: what the function returns depends on all of them.
void Statements::chain(Lines& to, Scope& scope, const std::string& margin) {
  const std::string before = expressions_.of({}, scope, 0);
  Variable made{fresh(), {}};
  to += margin + made.name + " = torch.add(" + before + ", " +
        expressions_.of(choices_.one_in(2) ? integer : Type{}, scope) + ")\n";
  scope.push_back(std::move(made));
}

void Statements::update(Lines& to, Scope& scope, const std::string& margin) {
  if (scope.empty()) return;
  const Variable& variable = choices_.among(scope);
  if (variable.name.find('.') != std::string::npos) return;
  const std::string line = margin + variable.name + " = " + grown(variable, choices_) + "\n";
  to += line + repeated(line, choices_.times(2000, line.size()));
}

void Statements::branch(Lines& to, Scope& scope, std::size_t indent, int depth) {
  const std::string margin(indent, ' ');
  const std::string inner(indent + 2, ' ');
  const Variable made{fresh(), expressions_.type()};
  to += margin + "if " + expressions_.of(boolean, scope, 2) + ":\n";
  for (int arm = 0; arm < 2; ++arm) {
    if (arm == 1) to += margin + "else:\n";
    Scope own = scope;
    block(to, own, indent + 2, depth - 1);
    to += inner + made.name + " = " + expressions_.of(made.type, own, 2) + "\n";
    if (arm == 0 && choices_.one_in(4))
      to += inner + "return " + expressions_.of(result_, own, 2) + "\n";
  }
  scope.push_back(made);
}

void Statements::loop(Lines& to, Scope& scope, std::size_t indent, int depth) {
  const std::string margin(indent, ' ');
  const std::string counter = "i" + fresh();
  const std::string from = expressions_.of(integer, scope, 1);
  std::string range = choices_.of({from, from, from + ", " + expressions_.of(integer, scope, 1),
                                   from + ", " + expressions_.of(integer, scope, 0) + ", " +
                                       expressions_.of(integer, scope, 0)});
  to += margin + "for " + counter + " in range(" + range + "):\n";
  Scope own = scope;
  own.push_back({counter, integer});
  block(to, own, indent + 2, depth - 1);
  if (!scope.empty() && choices_.one_in(2)) update(to, scope, margin + "  ");
}

void Statements::endless(Lines& to, Scope& scope, std::size_t indent, int depth) {
  const std::string margin(indent, ' ');
  const std::string going = fresh();
  to += margin + going + " = True\n" + margin + "while " + going + ":\n";
  Scope own = scope;
  block(to, own, indent + 2, depth - 1);
  to += margin + "  " + going + " = " + expressions_.of(boolean, own, 2) + "\n";
}

/// Changes in place: of collections and attributes.
void Statements::change(Lines& to, Scope& scope, const std::string& margin) {
  if (!assignable.empty() && choices_.one_in(3)) {
    const Variable& attribute = choices_.among(assignable);
    to += margin + attribute.name + " = " + expressions_.of(attribute.type, scope, 2) + "\n";
    return;
  }
  if (scope.empty()) return;
  const Variable& variable = choices_.among(scope);
  const std::string& v = variable.name;
  const auto of = [&](const Type& type) { return expressions_.of(type, scope, 1); };
  std::string line;
  if (variable.type.kind == Kind::list) {
    const Type& element = variable.type.parts[0];
    switch (choices_.below(7)) {
    default: line = "_ = torch.append(" + v + ", " + of(element) + ")"; break;
    case 1: line = "torch.extend(" + v + ", " + of(variable.type) + ")"; break;
    case 2: line = "torch.insert(" + v + ", " + of(integer) + ", " + of(element) + ")"; break;
    case 3:
      line = "_ = torch._set_item(" + v + ", " + of(integer) + ", " + of(element) + ")";
      break;
    case 4: line = "_ = torch.pop(" + v + ", " + of(integer) + ")"; break;
    case 5: line = choices_.of({"torch.clear(", "torch.reverse(", "torch.sort("}) + v + ")"; break;
    case 6: line = "torch.Delete(" + v + ", " + of(integer) + ")"; break;
    }
  } else if (variable.type.kind == Kind::dict) {
    line = choices_.one_in(2) ? "_ = torch._set_item(" + v + ", " + of(text) + ", " +
                                    of(variable.type.parts[0]) + ")"
                              : "torch.update(" + v + ", " + v + ")";
  } else {
    line = fresh() + " = " + grown(variable, choices_);
  }
  line = margin + line + "\n";
  to += line + repeated(line, choices_.times(1000, line.size()) / 2);
}

/// Each holds the one before, once or twice.
void Statements::nest(Lines& to, Scope& scope, const std::string& margin) {
  if (scope.empty()) return;
  Variable inner = choices_.among(scope);
  const bool tuples = choices_.one_in(3);
  const bool twice = choices_.one_in(2);
  for (std::size_t i = 0, levels = 1 + choices_.times(64, 400); i < levels; ++i) {
    Variable outer{fresh(),
                   tuples ? Type{Kind::tuple, {inner.type, inner.type}, {}} : list_of(inner.type)};
    // The type of a tuple is written out, and doubles in length.
    if (tuples && i > 8) break;
    const std::string both = inner.name + ", " + inner.name;
    const std::string items = tuples || twice ? both : inner.name;
    to += margin + outer.name + " = " + (tuples ? "(" : "[") + items + (tuples ? ",)" : "]") + "\n";
    inner = outer;
    scope.push_back(std::move(outer));
  }
}

void Statements::early_returns(Lines& to, Scope& scope, const std::string& margin) {
  const std::string lines = margin + "if " + expressions_.of(boolean, scope, 1) + ":\n" + margin +
                            "  return " + expressions_.of(result_, scope, 1) + "\n";
  to += lines + repeated(lines, choices_.times(60, lines.size()));
}

} // namespace fuzz
