#include "connected_graph/torchscript/operators.h"

#include "connected_graph/torchscript/code/attribute_value.h"
#include "connected_graph/torchscript/code/constant_evaluation.h"
#include "connected_graph/torchscript/code/operator_description.h"
#include "connected_graph/torchscript/code/static_types.h"
#include "connected_graph/torchscript/file/tensor_type.h"
#include "connected_graph/torchscript/ir/collection_facts.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace model_validator::torchscript {
namespace {

/// How TorchScript writes `1 - x` and `1 / x`: two operators for one in Python.
struct Expansion {
  std::string_view line;
  c10::Symbol first;
  std::string_view function;
};
const std::array<Expansion, 2> expansions = {
    {{"return torch.neg(b) + a", aten::neg, "sub"},
     {"return torch.reciprocal(b) * a", aten::reciprocal, "div"}}};

const auto derive_index = c10::Symbol::fromQualString("aten::__derive_index");

/// Whether the result is the counter, shifted or scaled.
bool stays_counter(const Node& node, const Inputs& inputs) {
  const auto kind = node.kind();
  if (kind == derive_index) return inputs.size() == 3 && as_int(*inputs[2]).value_or(0) != 0;
  return (kind == aten::add || kind == aten::sub) && as_int(*inputs[1]).has_value();
}

/// Whether the node compares in a way that comes out between two numbers as it does for both, if
/// that is the same.
bool orders(const Node& node) {
  return node.kind() == aten::lt || node.kind() == aten::le || node.kind() == aten::gt ||
         node.kind() == aten::ge;
}

/// What torch computes in each iteration, if one input is known in each and the others are known;
/// otherwise empty.
std::vector<c10::IValue> evaluate_iterations(const Node& node, Inputs inputs) {
  const auto varies = [](const Abstract& input) { return !input->in_iterations.empty(); };
  const auto input = std::find_if(inputs.begin(), inputs.end(), varies);
  if (input == inputs.end() || std::any_of(input + 1, inputs.end(), varies)) return {};
  const Abstract counter = *input;
  if (counter->only_bounds && !orders(node)) return {};
  std::vector<c10::IValue> results;
  for (const c10::IValue& number : counter->in_iterations) {
    *input = make_known(number);
    auto result = evaluate(node, inputs);
    if (!result) return {};
    results.push_back(*std::move(result));
  }
  return results;
}

/// What the node yields in every iteration of a loop alike, if it is computed from numbers that are
/// known in each.
std::optional<c10::IValue> evaluate_alike(const Node& node, const Inputs& inputs) {
  const auto results = evaluate_iterations(node, inputs);
  const bool alike = std::all_of(results.begin(), results.end(), [&](const c10::IValue& result) {
    return equal_keys(result, results[0]);
  });
  return alike && !results.empty() ? std::optional(results[0]) : std::nullopt;
}

/// Records in a node's result what it is for the enclosing loop: a number that differs in every
/// iteration, a comparison that holds in at most one, or what it is in each.
void note_counter(const Node& node, const Inputs& inputs, AbstractValue& result) {
  result.in_iterations = evaluate_iterations(node, inputs);
  if (inputs.size() < 2) return;
  const RegionId loop = inputs[0]->counter_of_loop;
  const RegionId other = inputs[1]->counter_of_loop;
  if (node.kind() == aten::eq || node.kind() == aten::ne)
    result.once_in_loop = loop == none ? other : other == none ? loop : none;
  if (loop != none && stays_counter(node, inputs)) result.counter_of_loop = loop;
}

} // namespace

void Operators::walk(const Node& node, const Inputs& inputs, Environment& environment) {
  auto value = evaluate(node, inputs);
  if (!value) value = evaluate_alike(node, inputs);
  if (value) {
    environment[node.output()] = make_known(*value);
  } else if (scope_.collecting) {
    collect(node, inputs);
    bind_outputs(node, inputs, none, false, environment);
  } else if (!begin_expanded(node, inputs, environment)) {
    enter(node, inputs, environment);
  }
}

/// Inside a leaf.
void Operators::collect(const Node& node, const Inputs& inputs) {
  context_.frame_of(node); // so that a trace's call sites become known
  scope_.collecting->push_back({schema_of(node), attributes_of(node, inputs), {}, {}});
  notes_.add_body(node);
  writer_.note_written(node, inputs);
}

void Operators::enter(const Node& node, const Inputs& inputs, Environment& environment) {
  Op op = describe(node, inputs);
  op.kind = kind_of(node, inputs);
  if (!inputs.empty() && inputs[0]->expanded) finish_expanded(node, inputs, op);
  const bool query = op.kind == OpKind::query;
  op.name = writer_.unique_name(op.type);
  Gathered data = writer_.gather(inputs);
  const OpId id = writer_.emit(std::move(op), data.operands);
  bind_outputs(node, inputs, id, query, environment);
  notes_.add(node, {id, none, std::move(data.places), {}, {}}, environment);
  writer_.redirect_in_place(node, inputs, id);
}

Abstract Operators::constant(const Node& node) {
  const auto value = torch::jit::toIValue(node.output());
  if (!value) return values_.unknown(node.output()->type());
  if (!value->isTensor()) return values_.from_ivalue(*value, nullptr, "");
  auto tensor = values_.unknown(node.output()->type());
  if (scope_.collecting) return tensor;
  Op op;
  op.kind = OpKind::constant;
  op.type = "constant";
  op.name = writer_.unique_name("constant");
  op.parent = scope_.call->self;
  op.frame = context_.frame_of(node);
  op.region = scope_.region;
  op.outputs.push_back(type_of(value->toTensor()));
  if (auto number = scalar_value(value->toTensor())) op.attributes.push_back({"value", *number});
  tensor->sources.push_back({context_.graph.add_op(std::move(op)), 0});
  return tensor;
}

Op Operators::describe(const Node& node, const Inputs& inputs) {
  Op op;
  op.schema = schema_of(node);
  op.attributes = attributes_of(node, inputs);
  op.type = type_of_operator(op.schema, op.attributes);
  op.frame = context_.frame_of(node);
  return op;
}

bool Operators::is_scalar_constant(const Operand& operand) const {
  if (!operand.source) return false;
  const Op& op = context_.graph.op(operand.source->op);
  return op.kind == OpKind::constant && !op.outputs.empty() && op.outputs[0].shape &&
         op.outputs[0].shape->empty();
}

/// Sizes and what a trace computes on them (`NumToTensor`, then tensor operators) are queries.
OpKind Operators::kind_of(const Node& node, const Inputs& inputs) const {
  const auto outputs = node.outputs();
  const bool yields_tensor = std::any_of(outputs.begin(), outputs.end(), [](const Value* value) {
    return holds_tensor(value->type());
  });
  if (!yields_tensor || node.kind() == prim::NumToTensor) return OpKind::query;
  std::vector<Operand> tensors;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (holds_tensor(node.inputs()[i]->type()))
      for (const Operand& operand : operands_of(inputs[i]))
        if (!is_scalar_constant(operand)) tensors.push_back(operand);
  return keeps_numbers(node) && only_queries(tensors) ? OpKind::query : OpKind::functional;
}

void Operators::bind_outputs(const Node& node, const Inputs& inputs, OpId op, bool query,
                             Environment& environment) {
  std::size_t output = 0;
  for (const Value* value : node.outputs()) {
    Abstract bound = values_.result(value->type(), op, output, query);
    const bool list = value->type()->kind() == c10::TypeKind::ListType;
    if (list && node.outputs().size() == 1) bound->list_of = op;
    environment[value] = bound;
  }
  if (op != none) context_.graph.op(op).outputs.resize(output);
  if (is_repeatable_query(node))
    environment[node.output()]->number = number_of(node.kind(), inputs);
  if (is_view(node)) environment[node.output()]->base = inputs[0];
  if (node.outputs().size() != 1) return;
  note_counter(node, inputs, *environment[node.output()]);
  const bool negates =
      model_validator::contains({aten::__not__, aten::__isnot__, aten::ne}, node.kind());
  if (negates && !holds_tensor(node.output()->type()))
    negate(node, inputs, *environment[node.output()]);
}

/// `not x` is the same decision as `x`, negated; likewise `x is not y` and `x is y`, `!=` and `==`.
void Operators::negate(const Node& node, const Inputs& inputs, AbstractValue& result) {
  if (node.kind() == aten::__not__) {
    result.number = inputs[0]->number;
    result.negated = !inputs[0]->negated;
    result.once_in_loop = inputs[0]->once_in_loop;
    for (const auto& [literal, value] : inputs[0]->alternatives) {
      const auto known = as_bool(*value);
      Abstract opposite = known ? make_known(!*known) : values_.unknown(c10::BoolType::get());
      opposite->unreachable = value->unreachable;
      result.alternatives.emplace_back(literal, std::move(opposite));
    }
    return;
  }
  const bool unequal = node.kind() == aten::ne;
  result.number = number_of(unequal ? aten::eq : aten::__is__, inputs);
  result.negated = true;
}

/// Holds back the first half of an expanded operator.
bool Operators::begin_expanded(const Node& node, const Inputs& inputs, Environment& environment) {
  if (node.kind() != expansions[0].first && node.kind() != expansions[1].first) return false;
  const std::string line = context_.frames.builtin_line(node);
  const auto expansion =
      std::find_if(expansions.begin(), expansions.end(),
                   [&](const Expansion& e) { return e.line == line && e.first == node.kind(); });
  if (expansion == expansions.end()) return false;
  Abstract half = values_.unknown(node.output()->type());
  half->sources = inputs[0]->sources;
  half->parameters = inputs[0]->parameters;
  half->query = inputs[0]->query;
  half->expanded =
      std::make_shared<Operator>(Operator{schema_of(node), attributes_of(node, inputs), {}, {}});
  environment[node.output()] = half;
  return true;
}

void Operators::finish_expanded(const Node& node, const Inputs& inputs, Op& op) {
  const std::string line = context_.frames.builtin_line(node);
  for (const Expansion& expansion : expansions)
    if (expansion.line == line) {
      op.type = expansion.function;
      op.body = std::make_shared<const std::vector<Operator>>(
          std::vector<Operator>{*inputs[0]->expanded, {op.schema, op.attributes, {}, {}}});
      op.schema = "torch." + op.type;
    }
}

} // namespace model_validator::torchscript
