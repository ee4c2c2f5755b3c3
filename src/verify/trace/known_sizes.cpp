#include "verify/trace/known_sizes.h"

#include "connected_graph/torchscript/reachable_values.h"
#include "verify/run/tensor_tree.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <map>
#include <utility>

namespace model_validator::verify {
namespace {

bool asks_for_size(const torch::jit::Node& node) {
  namespace aten = torch::jit::aten;
  namespace prim = torch::jit::prim;
  static const auto numel = c10::Symbol::aten("numel"); // not every torch has a constant for it
  const auto kind = node.kind();
  return kind == aten::size || kind == aten::dim || kind == numel || kind == aten::len ||
         kind == prim::dtype || kind == prim::layout || kind == aten::is_floating_point;
}

/// Whether the answer follows from which values there are: which is None, which keys a dict has.
bool asks_for_structure(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) {
  namespace aten = torch::jit::aten;
  const auto kind = node.kind();
  if (kind == aten::__contains__) return inputs.at(0).isGenericDict();
  if (kind == aten::__is__ || kind == aten::__isnot__) // which tensors are one may differ
    return inputs.at(0).isNone() || inputs.at(1).isNone();
  return kind == aten::keys || kind == torch::jit::prim::isinstance;
}

bool is_mask(const c10::IValue& value) {
  bool mask = false;
  for_each_tensor(value, [&](const at::Tensor& tensor) {
    mask = mask || tensor.scalar_type() == at::kBool || tensor.scalar_type() == at::kByte;
  });
  return mask;
}

/// Whether a result of this type may say something of a tensor's values: a number, a string.
/// Tuples and dicts are only passed on by operators, not computed.
bool may_tell_values(const c10::TypePtr& type) {
  switch (type->kind()) {
  case c10::TypeKind::TensorType:
  case c10::TypeKind::NoneType:
  case c10::TypeKind::DeviceObjType:
  case c10::TypeKind::ClassType:
  case c10::TypeKind::TupleType:
  case c10::TypeKind::DictType: return false;
  case c10::TypeKind::ListType:
  case c10::TypeKind::OptionalType: return may_tell_values(type->containedType(0));
  default: return true;
  }
}

/// Operators of lists that compare their elements, and keep or order them by that.
bool compares_elements(const torch::jit::Node& node) {
  static const std::set<c10::Symbol> kinds{c10::Symbol::aten("sort"), c10::Symbol::aten("sorted"),
                                           c10::Symbol::aten("remove")};
  return kinds.contains(node.kind()) && node.input(0)->type()->kind() == c10::TypeKind::ListType;
}

/// Whether the shape of an operator's result depends on values, according to the dispatcher.
bool shapes_by_value(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) {
  if (node.kind() == torch::jit::aten::index) return inputs.size() > 1 && is_mask(inputs[1]);
  const torch::jit::Operator* op = node.maybeOperator();
  if (op == nullptr || !op->isC10Op()) return false;
  const auto handle = c10::Dispatcher::singleton().findOp(op->schema().operator_name());
  return handle && handle->hasTag(at::Tag::dynamic_output_shape);
}

/// Whether sizes, or numbers, that follow may depend on the values of tensors.
bool looks_at_values(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) {
  if (node.maybeSchema() == nullptr || std::none_of(inputs.begin(), inputs.end(), holds_tensor))
    return false;
  if (compares_elements(node) || shapes_by_value(node, inputs)) return true;
  const auto outputs = node.outputs();
  return !asks_for_size(node) && !asks_for_structure(node, inputs) &&
         std::any_of(outputs.begin(), outputs.end(), [](const torch::jit::Value* output) {
           return may_tell_values(output->type());
         });
}

/// Whether a tensor that is written into keeps its sizes; a list or dict may not, nor may an
/// attribute that is set.
bool keeps_sizes(const StateWrite& write) {
  if (!write.in_place) return false;
  const auto dot = write.schema.find('.');
  const std::string overload = dot == std::string::npos ? "" : write.schema.substr(dot + 1);
  const auto operation =
      c10::Dispatcher::singleton().findOp({write.schema.substr(0, dot), overload});
  return operation && !operation->hasTag(at::Tag::inplace_view);
}

bool in_loop(const torch::jit::Node& node) {
  for (const torch::jit::Node* around = node.owningBlock()->owningNode(); around != nullptr;
       around = around->owningBlock()->owningNode())
    if (around->kind() == torch::jit::prim::Loop) return true;
  return false;
}

} // namespace

std::set<std::string> changing_attributes(const torch::jit::Module& module,
                                          const std::vector<StateWrite>& state_writes) {
  std::set<std::string> names;
  for (const StateWrite& write : state_writes)
    if (!keeps_sizes(write)) names.insert(write.attribute);
  if (names.empty()) return names;
  std::map<const void*, std::vector<std::string>> holders;
  torchscript::for_each_reachable(module._ivalue(), [&](const c10::IValue& object) {
    if (!object.isObject()) return;
    for (std::size_t i = 0; i < object.toObjectRef().slots().size(); ++i)
      if (const c10::IValue& held = object.toObjectRef().slots()[i]; !held.isObject())
        torchscript::for_each_reachable(held, [&](const c10::IValue& part) {
          holders[part.internalToPointer()].push_back(
              object.toObjectRef().type()->getAttributeName(i));
        });
  });
  for (const auto& [memory, held_by] : holders)
    if (std::any_of(held_by.begin(), held_by.end(),
                    [&](const std::string& name) { return names.contains(name); }))
      names.insert(held_by.begin(), held_by.end());
  return names;
}

void KnownSizes::begin() {
  values_matter_ = false;
  repeats_ = {false};
  pending_.clear();
}

void KnownSizes::read_attribute(const torch::jit::Node& node) {
  values_matter_ = values_matter_ || changing_.contains(node.s(torch::jit::attr::name));
}

void KnownSizes::before(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) {
  if (!values_matter_) values_matter_ = looks_at_values(node, inputs);
}

void KnownSizes::note(Context context, const Step& step) {
  if (!asks_for_size(step.node)) return;
  const Place place(context, step.node.output());
  if (values_matter_) return answer(place, std::nullopt);
  const c10::IValue& given = step.outputs.at(0);
  // The run continues and may change its list.
  const c10::IValue is = given.isIntList() ? c10::IValue(given.toIntVector()) : given;
  if (!repeats(step.node)) return answer(place, is);
  auto& answers = pending_[place];
  if (answers.empty() || (answers.size() == 1 && answers[0] != is)) answers.push_back(is);
}

void KnownSizes::answer(const Place& place, const std::optional<c10::IValue>& is) {
  const auto [entry, fresh] = answers_.try_emplace(place, is);
  if (!fresh && entry->second != is) entry->second.reset();
}

void KnownSizes::enter(const torch::jit::Node& call) { repeats_.push_back(repeats(call)); }

bool KnownSizes::repeats(const torch::jit::Node& node) const {
  return repeats_.back() || in_loop(node);
}

void KnownSizes::end_loop(const torch::jit::Node& loop) {
  if (repeats(loop)) return; // it is an iteration of another
  for (const auto& [place, answers] : pending_)
    for (const c10::IValue& is : answers)
      answer(place, values_matter_ ? std::nullopt : std::optional(is));
  pending_.clear();
}

void KnownSizes::write(torchscript::NodeMap& map) const {
  for (const auto& [place, is] : answers_)
    if (is) map.note_known(place.first, *place.second, *is);
}

} // namespace model_validator::verify
