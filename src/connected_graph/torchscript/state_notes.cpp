#include "connected_graph/torchscript/state_notes.h"

#include "connected_graph/torchscript/code/operator_description.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

#include <algorithm>
#include <array>

namespace model_validator::torchscript {
namespace {

/// Whether it passes values on without using them.
bool only_moves(const Node& node) {
  constexpr std::array<c10::Symbol, 11> kinds{
      prim::GetAttr,     prim::SetAttr,        prim::CallMethod,    prim::CallFunction,
      prim::fork,        prim::TupleConstruct, prim::ListConstruct, prim::DictConstruct,
      prim::TupleUnpack, prim::unchecked_cast, prim::ListUnpack};
  return std::find(kinds.begin(), kinds.end(), node.kind()) != kinds.end();
}

/// Whether nothing is left of what its first input held.
bool replaces(const Node& node) {
  constexpr std::array<c10::Symbol, 5> kinds{aten::copy_, aten::fill_, aten::zero_, aten::normal_,
                                             aten::clear};
  return std::find(kinds.begin(), kinds.end(), node.kind()) != kinds.end();
}

/// Whether its outputs may be its first input, or part of it. `to` usually copies.
bool passes_memory_on(const Node& node) {
  if (node.inputs().empty() || node.kind() == aten::to) return false;
  if (picks(node) || is_view(node)) return true;
  return writes(node, 0) && returns_memory(*node.maybeSchema());
}

/// How much of a value the node replaces.
StateRecord::Overwrite overwrite_by(const Node& node) {
  if (replaces(node)) return StateRecord::Overwrite::whole;
  return node.kind() == aten::_set_item ? StateRecord::Overwrite::entry
                                        : StateRecord::Overwrite::part;
}

/// Whether it sets an attribute to its own value, on another device or with another dtype.
bool sets_what_it_is(const Node& node) {
  const Node* made = node.input(1)->node();
  if (made->kind() != aten::to) return false;
  const Node& from = *made->input(0)->node();
  return from.kind() == prim::GetAttr && from.input() == node.input(0) &&
         from.s(attr::name) == node.s(attr::name);
}

} // namespace

std::vector<StateRecord::Node> StateNotes::read_by(const Node& node, const Inputs& inputs) {
  std::vector<StateRecord::Node> read(inputs.size());
  if (only_moves(node)) return read;
  const bool as_such = node.kind() == aten::__getitem__ || node.kind() == aten::len ||
                       node.kind() == prim::TupleIndex;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool itself = writes(node, i) || (as_such && i == 0);
    read[i] = itself ? state_.read_itself(inputs[i]) : state_.read(inputs[i]);
  }
  return read;
}

StateWrite StateNotes::write_of(const Node& node) {
  StateWrite write;
  write.schema = schema_of(node);
  write.frame = context_.frame_of(node);
  write.region = context_.scope.region;
  return write;
}

void StateNotes::add_writes(const Node& node, const Inputs& inputs,
                            const std::vector<StateRecord::Node>& read) {
  if (node.kind() == prim::SetAttr) {
    if (!sets_what_it_is(node)) add_assignment(node, inputs[0], inputs[1]);
    return;
  }
  if (only_moves(node)) return;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!writes(node, i)) continue;
    auto sources = read;
    sources[i] = Dependence::nothing;
    const auto overwrite = i == 0 ? overwrite_by(node) : StateRecord::Overwrite::part;
    state_.write(inputs[i], sources, write_of(node), overwrite);
  }
}

void StateNotes::add_computed(const Node& node, StateRecord::Node begin,
                              const std::vector<StateRecord::Node>& read,
                              const Environment& environment) {
  const std::size_t shapes = describes(node) || makes_alike(node) ? 1 : 0;
  const auto all = std::span(read);
  for (const Value* output : node.outputs())
    if (const auto value = environment.find(output); value != environment.end()) {
      state_.compute(value->second, begin, all.subspan(shapes));
      state_.compute(value->second, begin, all.first(shapes), Dependence::How::shape);
    }
}

void StateNotes::add_shared(const Node& node, const Inputs& inputs,
                            const Environment& environment) {
  if (!passes_memory_on(node)) return;
  for (const Value* output : node.outputs())
    if (const auto value = environment.find(output); value != environment.end())
      state_.share(value->second, inputs[0]);
}

/// An object made in the call itself keeps nothing for the next one.
void StateNotes::add_assignment(const Node& node, const Abstract& self, const Abstract& value) {
  if (self->object())
    state_.assign({self->object(), node.s(attr::name)}, context_.module_of(*self->object()), value,
                  write_of(node));
  for (const auto& [literal, alternative] : self->alternatives)
    add_assignment(node, alternative, value);
}

} // namespace model_validator::torchscript
