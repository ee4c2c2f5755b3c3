#include "connected_graph/torchscript/operator_description.h"
#include "connected_graph/torchscript/walk.h"

#include <algorithm>
#include <array>

namespace model_validator::torchscript {
namespace {

/// Passes values on, and uses none of them.
bool only_moves(const torch::jit::Node& node) {
  constexpr std::array<c10::Symbol, 10> kinds{c10::prim::GetAttr,        c10::prim::CallMethod,
                                              c10::prim::CallFunction,   c10::prim::fork,
                                              c10::prim::TupleConstruct, c10::prim::ListConstruct,
                                              c10::prim::DictConstruct,  c10::prim::TupleUnpack,
                                              c10::prim::ListUnpack,     c10::prim::unchecked_cast};
  return std::find(kinds.begin(), kinds.end(), node.kind()) != kinds.end();
}

/// Whether nothing is left of what its first input held.
bool replaces(const torch::jit::Node& node) {
  constexpr std::array<c10::Symbol, 4> kinds{c10::aten::copy_, c10::aten::fill_, c10::aten::zero_,
                                             c10::aten::normal_};
  return std::find(kinds.begin(), kinds.end(), node.kind()) != kinds.end();
}

} // namespace

/// Whatever an arm or an iteration is decided by, or passes on, is used.
void Walk::note_state_read(const Inputs& values) {
  for (const Abstract& value : values) state_.read(value);
}

void Walk::note_state(const torch::jit::Node& node, const Inputs& inputs) {
  if (only_moves(node)) return;
  const auto place = [&] {
    return StateRecord::Place{frames_.frame_of(node, *call_), region_, schema_of(node)};
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (writes(node, i))
      state_.write(inputs[i], place(), i == 0 && replaces(node));
    else if (i != 0 || !is_view(node))
      state_.read(inputs[i]);
  }
  if (node.kind() == c10::prim::SetAttr) note_assignment(node, inputs[0], place());
}

/// An object that the call itself has made keeps nothing for the next one.
void Walk::note_assignment(const torch::jit::Node& node, const Abstract& self,
                           const StateRecord::Place& place) {
  if (self->fields) return;
  const std::string& name = node.s(c10::attr::name);
  if (self->object) state_.assign({self->object.get(), name}, module_of(*self->object), place);
  for (const auto& [literal, alternative] : self->alternatives)
    note_assignment(node, alternative, place);
}

ModuleId Walk::module_of(const c10::ivalue::Object& object) const {
  const ModuleId module = modules_.id_of(object);
  return module == none ? call_->self : module;
}

} // namespace model_validator::torchscript
