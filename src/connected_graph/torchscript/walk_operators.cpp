#include "connected_graph/op_type.h"
#include "connected_graph/torchscript/attribute_value.h"
#include "connected_graph/torchscript/constant_evaluation.h"
#include "connected_graph/torchscript/static_types.h"
#include "connected_graph/torchscript/walk.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace model_validator::torchscript {
namespace {

std::string schema_of(const torch::jit::Node& node) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  if (!schema) return node.kind().toQualString();
  return schema->overload_name().empty() ? schema->name()
                                         : schema->name() + "." + schema->overload_name();
}

std::vector<Attribute> attributes_of(const torch::jit::Node& node,
                                     const std::vector<Abstract>& inputs) {
  std::vector<Attribute> attributes;
  const c10::FunctionSchema* schema = node.maybeSchema();
  for (std::size_t i = 0; schema && i < inputs.size() && i < schema->arguments().size(); ++i)
    if (auto value = attribute_of(inputs[i]))
      attributes.push_back({schema->arguments()[i].name(), *value});
  return attributes;
}

/// A trace writes every convolution as `_convolution`; its stride tells how many dimensions.
std::string type_of_convolution(const std::vector<Attribute>& attributes) {
  std::string dimensions;
  bool transposed = false;
  for (const Attribute& attribute : attributes) {
    if (const auto* stride = std::get_if<std::vector<std::int64_t>>(&attribute.value);
        stride && attribute.name == "stride")
      dimensions = std::to_string(stride->size()) + "d";
    if (const bool* value = std::get_if<bool>(&attribute.value);
        value && attribute.name == "transposed")
      transposed = *value;
  }
  if (dimensions.empty()) return "convolution";
  return (transposed ? "conv_transpose" : "conv") + dimensions;
}

bool writes(const torch::jit::Node& node, std::size_t input) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  if (!schema || input >= schema->arguments().size()) return false;
  const auto* alias = schema->arguments()[input].alias_info();
  return alias && alias->isWrite();
}

bool is_view(const torch::jit::Node& node) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  if (!schema || schema->arguments().empty() || schema->returns().size() != 1) return false;
  return schema->arguments()[0].alias_info() && schema->returns()[0].alias_info() &&
         !writes(node, 0);
}

/// What a trace computes on sizes: integer arithmetic, and what only passes a number on.
bool keeps_integers(const torch::jit::Node& node) {
  static const std::set<std::string> types = {
      "add",     "sub",     "rsub",    "mul",        "div",         "floor_divide", "remainder",
      "neg",     "to",      "detach",  "clone",      "contiguous",  "alias",        "minimum",
      "maximum", "min",     "max",     "eq",         "ne",          "lt",           "le",
      "gt",      "ge",      "abs",     "lift_fresh", "floor",       "ceil",         "trunc",
      "pow",     "select",  "fmod",    "unsqueeze",  "stack",       "type_as",      "view",
      "reshape", "squeeze", "__and__", "__or__",     "logical_and", "logical_or"};
  return node.kind() == c10::prim::NumToTensor ||
         types.contains(type_of_schema(node.kind().toQualString()));
}

const auto derive_index = c10::Symbol::fromQualString("aten::__derive_index");

/// How TorchScript writes `1 - x` and `1 / x`: two operators for one of Python's.
struct Expansion {
  std::string_view line;
  c10::Symbol first;
  std::string_view function;
};
const std::array<Expansion, 2> expansions = {
    {{"return torch.neg(b) + a", c10::aten::neg, "sub"},
     {"return torch.reciprocal(b) * a", c10::aten::reciprocal, "div"}}};

} // namespace

/// Holds the first half of an expanded operator back.
bool Walk::begin_expanded(const torch::jit::Node& node, const Inputs& inputs,
                          Environment& environment) {
  if (node.kind() != expansions[0].first && node.kind() != expansions[1].first) return false;
  const std::string line = frames_.builtin_line(node);
  const auto expansion =
      std::find_if(expansions.begin(), expansions.end(),
                   [&](const Expansion& e) { return e.line == line && e.first == node.kind(); });
  if (expansion == expansions.end()) return false;
  Abstract half = unknown(node.output()->type());
  half->sources = inputs[0]->sources;
  half->parameters = inputs[0]->parameters;
  half->query = inputs[0]->query;
  half->expanded =
      std::make_shared<Operator>(Operator{schema_of(node), attributes_of(node, inputs), {}, {}});
  environment[node.output()] = half;
  return true;
}

void Walk::finish_expanded(const torch::jit::Node& node, const Inputs& inputs, Op& op) {
  const std::string line = frames_.builtin_line(node);
  for (const Expansion& expansion : expansions)
    if (expansion.line == line) {
      op.type = expansion.function;
      op.body = std::make_shared<const std::vector<Operator>>(
          std::vector<Operator>{*inputs[0]->expanded, {op.schema, op.attributes, {}, {}}});
      op.schema = "torch." + op.type;
    }
}

bool Walk::is_scalar_constant(const Operand& operand) const {
  if (!operand.source) return false;
  const Op& op = graph_.op(operand.source->op);
  return op.kind == OpKind::constant && !op.outputs.empty() && op.outputs[0].shape &&
         op.outputs[0].shape->empty();
}

/// Sizes and what a trace computes on them (`NumToTensor`, then tensor operators) are queries.
OpKind Walk::kind_of(const torch::jit::Node& node, const Inputs& inputs) const {
  const auto outputs = node.outputs();
  const bool yields_tensor =
      std::any_of(outputs.begin(), outputs.end(),
                  [](const torch::jit::Value* value) { return holds_tensor(value->type()); });
  if (!yields_tensor || node.kind() == c10::prim::NumToTensor) return OpKind::query;
  std::vector<Operand> tensors;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (holds_tensor(node.inputs()[i]->type()))
      for (const Operand& operand : operands_of(inputs[i]))
        if (!is_scalar_constant(operand)) tensors.push_back(operand);
  return keeps_integers(node) && only_queries(tensors) ? OpKind::query : OpKind::functional;
}

Op Walk::describe(const torch::jit::Node& node, const Inputs& inputs) {
  Op op;
  op.schema = schema_of(node);
  op.attributes = attributes_of(node, inputs);
  op.type = type_of_schema(op.schema);
  if (op.type == "_convolution") op.type = type_of_convolution(op.attributes);
  op.frame = frames_.frame_of(node, *call_);
  return op;
}

OpId Walk::emit(Op op, const std::vector<Operand>& operands) {
  op.region = region_;
  if (op.parent == none) op.parent = call_ ? call_->self : 0;
  const bool leaf = op.kind == OpKind::module;
  for (std::size_t i = 0; i < operands.size() && !leaf; ++i)
    if (operands[i].parameter) {
      op.parameters.push_back(*operands[i].parameter);
      op.parameter_inputs.push_back(i);
    }
  const OpId id = graph_.add_op(std::move(op));
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].source) continue;
    const auto& [from, output] = *operands[i].source;
    const Op& producer = graph_.op(from);
    const std::string name =
        output == 0 ? producer.name : producer.name + ":" + std::to_string(output);
    const TensorType type =
        output < producer.outputs.size() ? producer.outputs[output] : TensorType{};
    graph_.add_product(from, id, {name, output, i, type});
  }
  return id;
}

void Walk::walk_operator(const torch::jit::Node& node, const Inputs& inputs,
                         Environment& environment) {
  if (const auto value = evaluate(node, inputs)) {
    environment[node.output()] = make_known(*value);
    return;
  }
  if (!collecting_ && begin_expanded(node, inputs, environment)) return;
  OpId id = none;
  bool query = false;
  if (collecting_) {
    frames_.frame_of(node, *call_); // so that a trace's call sites become known
    collecting_->push_back({schema_of(node), attributes_of(node, inputs), {}, {}});
    note_written(node, inputs);
  } else {
    Op op = describe(node, inputs);
    op.kind = kind_of(node, inputs);
    if (!inputs.empty() && inputs[0]->expanded) finish_expanded(node, inputs, op);
    query = op.kind == OpKind::query;
    op.name = unique_name(op.type);
    std::vector<Operand> operands;
    for (const Abstract& input : inputs)
      for (const Operand& operand : operands_of(input)) operands.push_back(operand);
    id = emit(std::move(op), operands);
  }
  bind_outputs(node, inputs, id, query, environment);
  if (id != none) redirect_in_place(node, inputs, id);
}

void Walk::bind_outputs(const torch::jit::Node& node, const Inputs& inputs, OpId op, bool query,
                        Environment& environment) {
  std::size_t output = 0;
  for (const torch::jit::Value* value : node.outputs()) {
    Abstract bound = result(value->type(), op, output, query);
    const bool list = value->type()->kind() == c10::TypeKind::ListType;
    if (list && node.outputs().size() == 1) bound->list_of = op;
    environment[value] = bound;
  }
  if (op != none) graph_.op(op).outputs.resize(output);
  if (is_repeatable_query(node))
    environment[node.output()]->number = number_of(node.kind(), inputs);
  if (is_view(node)) environment[node.output()]->base = inputs[0];
  if (node.outputs().size() != 1) return;
  note_counter(node, inputs, *environment[node.output()]);
  const bool negates = node.kind() == c10::aten::__not__ || node.kind() == c10::aten::__isnot__ ||
                       node.kind() == c10::aten::ne;
  if (negates && !holds_tensor(node.output()->type()))
    negate(node, inputs, *environment[node.output()]);
}

/// Numbers that differ in every iteration of a loop, and comparisons that hold in one at most.
void Walk::note_counter(const torch::jit::Node& node, const Inputs& inputs, AbstractValue& result) {
  if (inputs.size() < 2) return;
  const RegionId loop = inputs[0]->counter_of_loop;
  const RegionId other = inputs[1]->counter_of_loop;
  const auto kind = node.kind();
  if (kind == c10::aten::eq || kind == c10::aten::ne)
    result.once_in_loop = loop == none ? other : other == none ? loop : none;
  const std::int64_t step = inputs.size() == 3 ? as_int(*inputs[2]).value_or(0) : 0;
  const bool shifted = (kind == c10::aten::add || kind == c10::aten::sub) && as_int(*inputs[1]);
  if (shifted || (kind == derive_index && step != 0)) result.counter_of_loop = loop;
  const auto offset = as_int(*inputs[1]);
  if (result.counter_of_loop == none || !inputs[0]->progression || !offset) return;
  result.progression = *inputs[0]->progression;
  if (kind == derive_index) {
    result.progression->start = *offset + step * inputs[0]->progression->start;
    result.progression->step *= step;
  } else
    result.progression->start += kind == c10::aten::add ? *offset : -*offset;
}

/// `not x` decides as `x` does, the other way round; `x is not y` as `x is y`, `!=` as `==`.
void Walk::negate(const torch::jit::Node& node, const Inputs& inputs, AbstractValue& result) {
  if (node.kind() == c10::aten::__not__) {
    result.number = inputs[0]->number;
    result.negated = !inputs[0]->negated;
    result.once_in_loop = inputs[0]->once_in_loop;
    for (const auto& [literal, value] : inputs[0]->alternatives) {
      const auto known = as_bool(*value);
      Abstract opposite = known ? make_known(!*known) : unknown(c10::BoolType::get());
      opposite->unreachable = value->unreachable;
      result.alternatives.emplace_back(literal, std::move(opposite));
    }
    return;
  }
  const bool unequal = node.kind() == c10::aten::ne;
  result.number = number_of(unequal ? c10::aten::eq : c10::aten::__is__, inputs);
  result.negated = true;
}

/// The value that an op yields, opened where its type is a tuple.
Abstract Walk::result(const c10::TypePtr& type, OpId op, std::size_t& output, bool query) {
  if (const auto tuple = type->cast<c10::TupleType>()) {
    std::vector<Abstract> elements;
    for (const c10::TypePtr& element : tuple->elements())
      elements.push_back(result(element, op, output, query));
    return make_items(std::move(elements));
  }
  Abstract value = unknown(type);
  if (type->kind() == c10::TypeKind::NoneType) return value;
  value->query = query || !holds_tensor(type);
  if (op != none) value->sources.push_back({op, output++});
  return value;
}

void Walk::redirect(const Abstract& value, OpId op) {
  Abstract target = value;
  for (int links = 0; target && links < 64; ++links, target = target->base) {
    target->sources = {{op, 0}};
    target->parameters.clear();
  }
}

/// What is written in place is from now on what the writing op yields, and so is what it views.
void Walk::redirect_in_place(const torch::jit::Node& node, const Inputs& inputs, OpId op) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (writes(node, i)) {
      if (inputs[i]->items)
        inputs[i]->items->exact = false;
      else
        redirect(inputs[i], op);
    }
}

void Walk::note_written(const torch::jit::Node& node, const Inputs& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (writes(node, i)) written_.insert(inputs[i].get());
}

void Walk::redirect_written(const Inputs& inputs, OpId op) {
  for (const Abstract& input : inputs)
    if (written_.contains(input.get()) && !input->items) redirect(input, op);
}

std::string Walk::unique_name(const std::string& type) {
  std::string name;
  do name = type + "_" + std::to_string(name_counters_[type]++);
  while (!taken_names_.insert(name).second);
  return name;
}

std::string Walk::claim_name(const std::string& name) {
  return taken_names_.insert(name).second ? name : unique_name(name);
}

} // namespace model_validator::torchscript
