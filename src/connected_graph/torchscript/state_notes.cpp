#include "connected_graph/torchscript/state_notes.h"

#include "connected_graph/torchscript/ir/operator_effects.h"
#include "connected_graph/torchscript/operator_description.h"

#include <algorithm>
#include <array>

namespace model_validator::torchscript {
namespace {

/// Whether it passes values on without using them.
bool only_moves(const torch::jit::Node& node) {
  constexpr std::array<c10::Symbol, 11> kinds{
      c10::prim::GetAttr,        c10::prim::SetAttr,       c10::prim::CallMethod,
      c10::prim::CallFunction,   c10::prim::fork,          c10::prim::TupleConstruct,
      c10::prim::ListConstruct,  c10::prim::DictConstruct, c10::prim::TupleUnpack,
      c10::prim::unchecked_cast, c10::prim::ListUnpack};
  return std::find(kinds.begin(), kinds.end(), node.kind()) != kinds.end();
}

/// Whether nothing is left of what its first input held.
bool replaces(const torch::jit::Node& node) {
  constexpr std::array<c10::Symbol, 5> kinds{c10::aten::copy_, c10::aten::fill_, c10::aten::zero_,
                                             c10::aten::normal_, c10::aten::clear};
  return std::find(kinds.begin(), kinds.end(), node.kind()) != kinds.end();
}

/// Whether its outputs may be its first input, or part of it. `to` usually copies.
bool passes_memory_on(const torch::jit::Node& node) {
  if (node.inputs().empty() || node.kind() == c10::aten::to) return false;
  if (picks(node) || is_view(node)) return true;
  return writes(node, 0) && returns_memory(*node.maybeSchema());
}

/// What is left of a value that the node writes into.
StateRecord::Left left_by(const torch::jit::Node& node) {
  if (replaces(node)) return StateRecord::Left::nothing;
  return node.kind() == c10::aten::_set_item ? StateRecord::Left::everything_else
                                             : StateRecord::Left::rest;
}

/// Whether it sets an attribute to its own value, on another device or with another dtype.
bool sets_what_it_is(const torch::jit::Node& node) {
  const torch::jit::Node* made = node.input(1)->node();
  if (made->kind() != c10::aten::to) return false;
  const torch::jit::Node& from = *made->input(0)->node();
  return from.kind() == c10::prim::GetAttr && from.input() == node.input(0) &&
         from.s(c10::attr::name) == node.s(c10::attr::name);
}

/// What it takes from the dict, if any, that its input is or has the tensors of.
StateRecord::Use taken_by(const torch::jit::Node& node, std::size_t input) {
  const c10::Type& type = *node.input(input)->type();
  const bool tensors =
      type.kind() == c10::TypeKind::TensorType ||
      (type.kind() == c10::TypeKind::ListType && type.isSubtypeOf(*c10::ListType::ofTensors()));
  const bool one = node.kind() == c10::aten::__getitem__ || node.kind() == c10::aten::_set_item;
  return tensors || (one && input == 0) ? StateRecord::Use::entries : StateRecord::Use::whole;
}

} // namespace

std::vector<StateRecord::Node> StateNotes::read_by(const torch::jit::Node& node,
                                                   const Inputs& inputs) {
  std::vector<StateRecord::Node> read(inputs.size());
  if (only_moves(node)) return read;
  const bool as_such = node.kind() == c10::aten::__getitem__ || node.kind() == c10::aten::len ||
                       node.kind() == c10::prim::TupleIndex;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool itself = writes(node, i) || (as_such && i == 0);
    const StateRecord::Use use = taken_by(node, i);
    read[i] = itself ? state_.read_itself(inputs[i], use) : state_.read(inputs[i], use);
  }
  return read;
}

StateWrite StateNotes::write_of(const torch::jit::Node& node) {
  StateWrite write;
  write.schema = schema_of(node);
  write.frame = context_.frame_of(node);
  write.region = context_.scope.region;
  return write;
}

void StateNotes::add_writes(const torch::jit::Node& node, const Inputs& inputs,
                            const std::vector<StateRecord::Node>& read) {
  if (node.kind() == c10::prim::SetAttr) {
    if (!sets_what_it_is(node)) add_assignment(node, inputs[0], inputs[1]);
    return;
  }
  if (only_moves(node)) return;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!writes(node, i)) continue;
    auto sources = read;
    sources[i] = Dependence::nothing;
    const auto left = i == 0 ? left_by(node) : StateRecord::Left::rest;
    state_.write(inputs[i], std::move(sources), write_of(node), left, node);
  }
}

void StateNotes::add_computed(const torch::jit::Node& node, StateRecord::Node begin,
                              const std::vector<StateRecord::Node>& read,
                              const Environment& environment) {
  const std::size_t shapes = describes(node) || makes_alike(node) ? 1 : 0;
  const auto all = std::span(read);
  for (const torch::jit::Value* output : node.outputs())
    if (const auto value = environment.find(output); value != environment.end()) {
      state_.compute(value->second, begin, all.subspan(shapes));
      state_.compute(value->second, begin, all.first(shapes), Dependence::How::shape);
    }
}

void StateNotes::add_shared(const torch::jit::Node& node, const Inputs& inputs,
                            const Environment& environment) {
  if (!passes_memory_on(node)) return;
  for (const torch::jit::Value* output : node.outputs())
    if (const auto value = environment.find(output); value != environment.end())
      state_.share(value->second, inputs[0]);
}

/// An object made in the call itself keeps nothing for the next one.
void StateNotes::add_assignment(const torch::jit::Node& node, const Abstract& self,
                                const Abstract& value) {
  if (self->object())
    state_.assign({self->object(), node.s(c10::attr::name)}, context_.module_of(*self->object()),
                  value, write_of(node));
  for (const auto& [literal, alternative] : self->alternatives)
    add_assignment(node, alternative, value);
}

} // namespace model_validator::torchscript
