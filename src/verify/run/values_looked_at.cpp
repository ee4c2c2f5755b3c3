#include "verify/run/values_looked_at.h"

#include "connected_graph/torchscript/ir/operator_effects.h"
#include "verify/run/deciding_values.h"
#include "verify/run/tensor_tree.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <set>

namespace model_validator::verify {
namespace {

namespace aten = torch::jit::aten;

/// The node that a tensor comes from in the recording that is being made; null where the run did
/// not make it: a weight.
const torch::jit::Node* maker(const at::Tensor& tensor) {
  const auto& recording = torch::jit::tracer::getTracingState();
  if (recording == nullptr || !recording->hasValue(tensor)) return nullptr;
  const torch::jit::Node* node = recording->getValue(tensor)->node();
  return node->kind() == torch::jit::prim::Constant ? nullptr : node;
}

bool is_made(const c10::IValue& value) {
  return any_tensor(value, [](const at::Tensor& tensor) { return maker(tensor) != nullptr; });
}

/// Whether it is returned as it was given where its strides or its dtype suit, and else copied.
bool may_be_a_copy(const c10::IValue& value) {
  return any_tensor(value, [](const at::Tensor& tensor) {
    const torch::jit::Node* node = maker(tensor);
    return node != nullptr && (node->kind() == aten::contiguous || node->kind() == aten::to);
  });
}

/// Whether the answer follows from which values there are: which is None, which keys a dict has,
/// which tensors are one, as `query is key`.
bool asks_for_structure(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) {
  const auto kind = node.kind();
  if (kind == aten::__contains__) return inputs.at(0).isGenericDict();
  if (kind == aten::__is__ || kind == aten::__isnot__)
    return inputs.at(0).isNone() || inputs.at(1).isNone() ||
           std::ranges::none_of(inputs, may_be_a_copy);
  return kind == aten::keys || kind == torch::jit::prim::isinstance;
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
  if (node.kind() == torch::jit::aten::index)
    return inputs.size() > 1 && any_tensor(inputs[1], is_mask);
  const torch::jit::Operator* op = node.maybeOperator();
  if (op == nullptr || !op->isC10Op()) return false;
  const auto handle = c10::Dispatcher::singleton().findOp(op->schema().operator_name());
  return handle && handle->hasTag(at::Tag::dynamic_output_shape);
}

} // namespace

bool looks_at_values(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) {
  if (node.maybeSchema() == nullptr || std::ranges::none_of(inputs, is_made)) return false;
  if (compares_elements(node) || shapes_by_value(node, inputs)) return true;
  const auto outputs = node.outputs();
  return !torchscript::picks(node) && !torchscript::describes(node) &&
         !asks_for_structure(node, inputs) &&
         std::ranges::any_of(outputs, [](const torch::jit::Value* output) {
           return may_tell_values(output->type());
         });
}

} // namespace model_validator::verify
