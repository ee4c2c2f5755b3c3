#include "connected_graph/torchscript/operator_description.h"
#include "connected_graph/torchscript/walk.h"

#include <algorithm>
#include <array>

namespace model_validator::torchscript {
namespace {

/// Passes values on, and uses none of them.
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

/// Whether its outputs may be its first input, or lie in it. `to` mostly copies.
bool passes_memory_on(const torch::jit::Node& node) {
  if (node.inputs().empty() || node.kind() == c10::aten::to) return false;
  const bool picks = node.kind() == c10::prim::TupleIndex || node.kind() == c10::prim::ListUnpack ||
                     node.kind() == c10::prim::TupleUnpack || node.kind() == c10::aten::__getitem__;
  if (picks || is_view(node)) return true;
  const c10::FunctionSchema* schema = node.maybeSchema();
  return writes(node, 0) && !schema->returns().empty() && schema->returns()[0].alias_info();
}

/// Whether it remembers a size of what the call was given.
bool sets_a_size(const torch::jit::Node& node) {
  const torch::jit::Node* made = node.input(1)->node();
  if (made->kind() == c10::aten::__getitem__) made = made->input(0)->node();
  return made->kind() == c10::aten::size;
}

/// Whether it sets an attribute to what it is, on the device or with the dtype that is wanted.
bool sets_what_it_is(const torch::jit::Node& node) {
  const torch::jit::Node* made = node.input(1)->node();
  if (made->kind() != c10::aten::to) return false;
  const torch::jit::Node& from = *made->input(0)->node();
  return from.kind() == c10::prim::GetAttr && from.input() == node.input(0) &&
         from.s(c10::attr::name) == node.s(c10::attr::name);
}

} // namespace

/// Whatever an arm or an iteration is decided by, or passes on, is used.
void Walk::note_state_used(const Inputs& values) {
  for (const Abstract& value : values) state_.use(value);
}

StateWrite Walk::state_write(const torch::jit::Node& node) {
  StateWrite write;
  write.schema = schema_of(node);
  write.frame = frames_.frame_of(node, *call_);
  write.region = region_;
  return write;
}

void Walk::note_state(const torch::jit::Node& node, const Inputs& inputs) {
  if (node.kind() == c10::prim::SetAttr) {
    // A size that is remembered where it has changed guards what depends on it.
    const bool keeps = (region_ != none && sets_a_size(node)) || sets_what_it_is(node);
    return keeps ? void() : note_assignment(node, inputs[0]);
  }
  if (only_moves(node)) return;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (writes(node, i))
      state_.write(inputs[i], state_write(node), i == 0 && replaces(node));
    else if (i != 0 || !passes_memory_on(node))
      state_.use(inputs[i]);
}

void Walk::note_shared_state(const torch::jit::Node& node, const Inputs& inputs,
                             const Environment& environment) {
  if (!passes_memory_on(node)) return;
  for (const torch::jit::Value* output : node.outputs())
    if (const auto value = environment.find(output); value != environment.end())
      state_.share(value->second, inputs[0]);
}

/// An object that the call itself has made keeps nothing for the next one.
void Walk::note_assignment(const torch::jit::Node& node, const Abstract& self) {
  if (self->object)
    state_.assign({self->object.get(), node.s(c10::attr::name)}, module_of(*self->object),
                  state_write(node));
  for (const auto& [literal, alternative] : self->alternatives) note_assignment(node, alternative);
}

ModuleId Walk::module_of(const c10::ivalue::Object& object) const {
  const ModuleId module = modules_.id_of(object);
  return module == none ? call_->self : module;
}

} // namespace model_validator::torchscript
