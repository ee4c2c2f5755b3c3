#include "connected_graph/op_type.h"
#include "connected_graph/torchscript/constant_evaluation.h"
#include "connected_graph/torchscript/operator_description.h"
#include "connected_graph/torchscript/static_types.h"
#include "connected_graph/torchscript/walk.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace model_validator::torchscript {

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
  return keeps_numbers(node) && only_queries(tensors) ? OpKind::query : OpKind::functional;
}

Op Walk::describe(const torch::jit::Node& node, const Inputs& inputs) {
  Op op;
  op.schema = schema_of(node);
  op.attributes = attributes_of(node, inputs);
  op.type = type_of_operator(op.schema, op.attributes);
  op.frame = frames_.frame_of(node, *call_);
  return op;
}

Walk::Gathered Walk::gather(const Inputs& inputs, Gather what) const {
  Gathered data;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<Operand> operands = operands_of(inputs[i]);
    const auto paths = map_ ? paths_of_operands(inputs[i]) : std::vector<ValuePath>();
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (what == Gather::only_products && !operands[k].source) continue;
      if (map_) data.places.push_back({i, paths[k], data.operands.size(), false});
      data.operands.push_back(operands[k]);
    }
  }
  return data;
}

OpId Walk::emit(Op op, const std::vector<Operand>& operands) {
  op.region = region_;
  const bool leaf = op.kind == OpKind::module;
  if (op.parent == none && !leaf) op.parent = call_ ? call_->self : 0;
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
  Gathered data;
  bool query = false;
  if (collecting_) {
    frames_.frame_of(node, *call_); // so that a trace's call sites become known
    collecting_->push_back({schema_of(node), attributes_of(node, inputs), {}, {}});
    note_body(node);
    note_written(node, inputs);
  } else {
    Op op = describe(node, inputs);
    op.kind = kind_of(node, inputs);
    if (!inputs.empty() && inputs[0]->expanded) finish_expanded(node, inputs, op);
    query = op.kind == OpKind::query;
    op.name = unique_name(op.type);
    data = gather(inputs);
    id = emit(std::move(op), data.operands);
  }
  bind_outputs(node, inputs, id, query, environment);
  if (id == none) return;
  note(node, {id, none, std::move(data.places), {}, {}}, environment);
  redirect_in_place(node, inputs, id);
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
    if (map_ && links > 0) map_->note_written_view(op);
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
  const std::string start(start_of_name(type));
  std::string name;
  do name = start + "_" + std::to_string(name_counters_[start]++);
  while (!taken_names_.insert(name).second);
  return name;
}

std::string Walk::claim_name(const std::string& name) {
  return taken_names_.insert(name).second ? name : unique_name(name);
}

} // namespace model_validator::torchscript
