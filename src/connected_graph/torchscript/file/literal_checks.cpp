#include "connected_graph/torchscript/file/literal_checks.h"

#include <algorithm>
#include <optional>

namespace model_validator::torchscript {
namespace {

using namespace torch::jit;

std::optional<std::string> name_of(const Expr& expression) {
  if (expression.kind() != TK_VAR) return std::nullopt;
  return Var(expression).name().name();
}

/// `__torch__.models.Point`; nothing for an expression that is no name.
std::optional<std::string> dotted_name_of(Expr expression) {
  std::string name;
  while (expression.kind() == '.') {
    const Select select(expression);
    name.insert(0, "." + select.selector().name());
    expression = select.value();
  }
  const auto first = name_of(expression);
  return first ? std::optional(*first + name) : std::nullopt;
}

bool is_special_number(const std::string& name) { return name == "inf" || name == "nan"; }

bool is_number(const Expr& expression) {
  if (expression.kind() == TK_CONST) return true;
  if (expression.kind() == TK_UNARY_MINUS) return is_number(Expr(expression.get()->tree(0)));
  const auto name = name_of(expression);
  return name && is_special_number(*name);
}

class Judge {
public:
  explicit Judge(const DefinitionLookup& kind_of) : kind_of_(kind_of) {}

  bool literal(const Expr& expression) const {
    if (is_constant(expression.kind())) return true;
    switch (expression.kind()) {
    case TK_UNARY_MINUS: return is_number(expression);
    case '+':
    case '-': { // `1.+2.j`
      const BinOp sum(expression);
      return is_number(sum.lhs()) && is_number(sum.rhs());
    }
    case TK_LIST_LITERAL: return all(ListLiteral(expression).inputs());
    case TK_TUPLE_LITERAL: return all(TupleLiteral(expression).inputs());
    case TK_DICT_LITERAL: {
      const DictLiteral dict(expression);
      return all(dict.key_inputs()) && all(dict.value_inputs());
    }
    case '.': return member(Select(expression));
    case TK_APPLY: return made(Apply(expression));
    case TK_VAR: return is_number(expression);
    default: return false;
    }
  }

private:
  static bool is_constant(int kind) {
    return kind == TK_CONST || kind == TK_STRINGLITERAL || kind == TK_TRUE || kind == TK_FALSE ||
           kind == TK_NONE;
  }

  bool all(const List<Expr>& expressions) const {
    const TreeList& trees = expressions.get()->trees();
    return std::all_of(trees.begin(), trees.end(),
                       [this](const TreeRef& each) { return literal(Expr(each)); });
  }

  /// `CONSTANTS.c0`, `__torch__.Color.RED`
  bool member(const Select& select) const {
    const auto owner = dotted_name_of(select.value());
    return owner && (owner == "CONSTANTS" || kind_of_(*owner) == DefinitionKind::enumeration);
  }

  bool made(const Apply& apply) const {
    const auto inputs = apply.inputs();
    const auto callee = dotted_name_of(apply.callee());
    if (!callee || !apply.attributes().empty()) return false;
    if (callee == "annotate") return inputs.size() == 2 && literal(inputs[1]); // of a type
    const bool known = callee == "torch.device" || callee == "float" ||
                       kind_of_(*callee) == DefinitionKind::named_tuple;
    return known && all(inputs);
  }

  const DefinitionLookup& kind_of_;
};

} // namespace

bool is_literal(const Expr& expression, const DefinitionLookup& kind_of) {
  return Judge(kind_of).literal(expression);
}

} // namespace model_validator::torchscript
