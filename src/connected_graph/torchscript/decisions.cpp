#include "connected_graph/torchscript/decisions.h"

#include "connected_graph/torchscript/ir/collection_facts.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

bool same_word(const c10::IValue& x, const c10::IValue& y) {
  return (x.isNone() && y.isNone()) || equal_keys(x, y);
}

bool same(const Abstract& a, const Abstract& b) {
  if (a == b) return true;
  if (a->object() && a->object() == b->object()) return true;
  return a->known() && b->known() && same_word(*a->known(), *b->known());
}

bool is_tuple(const Abstract& value) {
  return value->items() && value->items()->exact && !value->items()->dict;
}

/// The alternatives of a condition that are still possible, by the outcome they give it.
struct Outcomes {
  std::vector<Literal> holds;
  std::vector<Literal> fails;
};

Outcomes outcomes_of(const AbstractValue& condition, const PathCondition& path) {
  Outcomes outcomes;
  for (const auto& [literal, value] : condition.alternatives) {
    if (value->unreachable || !compatible({literal}, path)) continue;
    const auto known = as_bool(*value);
    if (known.value_or(true)) outcomes.holds.push_back(literal);
    if (!known.value_or(false)) outcomes.fails.push_back(literal);
  }
  return outcomes;
}

/// Where an operand's data comes from if no op represents the choice.
void take_data(const std::vector<Operand>& operands, AbstractValue& value) {
  for (const Operand& operand : operands) {
    if (operand.source) value.sources.push_back(*operand.source);
    if (operand.parameter) value.parameters.push_back(*operand.parameter);
  }
}

} // namespace

void append(PathCondition& path, const PathCondition& more) {
  for (const Literal& literal : more)
    if (std::find(path.begin(), path.end(), literal) == path.end()) path.push_back(literal);
}

Decision Decisions::decide(const Abstract& condition) {
  Decision decision;
  if ((decision.known = as_bool(*condition))) return decision;
  const PathCondition& path = context_.scope.path;
  const auto [holds, fails] = outcomes_of(*condition, path);
  const bool choice = !condition->alternatives.empty();
  if (choice && holds.empty()) decision.known = false;
  if (choice && fails.empty()) decision.known = true;
  if (decision.known) return decision;
  const std::size_t id =
      number_of(condition->number != 0 ? condition->number : values_.next_number());
  for (const Literal& literal : path)
    if (literal.decision == id) decision.known = literal.then != condition->negated;
  decision.then_path = {{id, !condition->negated}};
  decision.else_path = {{id, condition->negated}};
  // The only alternative left must be the one that was decided.
  if (holds.size() == 1) append(decision.then_path, holds);
  if (fails.size() == 1) append(decision.else_path, fails);
  return decision;
}

Abstract Decisions::choose(const Abstract& a, const Abstract& b, const Decision& decision) {
  auto choice = std::make_shared<AbstractValue>();
  choice->number = values_.next_number();
  choice->node = context_.state.add();
  choice->alternatives = {{decision.then_path[0], a}, {decision.else_path[0], b}};
  context_.state.choose(decision.guard, choice, a, b);
  const auto a_none = is_none(*a);
  const auto b_none = is_none(*b);
  choice->never_none = a_none && b_none && !*a_none && !*b_none;
  return choice;
}

Abstract Decisions::join(const Abstract& a, const Abstract& b, const Decision& decision, OpId op,
                         std::size_t& output) {
  if (same(a, b) || b->unreachable) return a;
  if (a->unreachable) return b;
  if (is_tuple(a) && is_tuple(b) && a->items()->values.size() == b->items()->values.size()) {
    std::vector<Abstract> joined;
    for (std::size_t i = 0; i < a->items()->values.size(); ++i)
      joined.push_back(join(a->items()->values[i], b->items()->values[i], decision, op, output));
    Abstract either = make_items(std::move(joined));
    either->may_alias = {a, b};
    for (const Abstract& original : either->may_alias) original->copies.push_back(either);
    return either;
  }
  Abstract choice = choose(a, b, decision);
  std::vector<Operand> operands = operands_of(a);
  for (const Operand& operand : operands_of(b)) operands.push_back(operand);
  choice->query = only_queries(operands);
  if (op != none && !operands.empty())
    choice->sources = {{op, output++}};
  else
    take_data(operands, *choice);
  return choice;
}

} // namespace model_validator::torchscript
