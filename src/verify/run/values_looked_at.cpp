#include "verify/run/values_looked_at.h"

#include "verify/run/tensor_tree.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <set>

namespace model_validator::verify {
namespace {

/// Or for what kind of tensor it is.
bool asks_for_size(const torch::jit::Node& node) {
  namespace aten = torch::jit::aten;
  namespace prim = torch::jit::prim;
  static const auto numel = c10::Symbol::aten("numel"); // not every torch has a constant for it
  static const std::set<c10::Symbol> kinds_of_tensor{
      c10::Symbol::prim("is_nested"),   c10::Symbol::prim("is_quantized"),
      c10::Symbol::prim("is_sparse"),   c10::Symbol::prim("is_cuda"),
      c10::Symbol::prim("is_cpu"),      c10::Symbol::prim("is_mkldnn"),
      c10::Symbol::prim("is_meta"),     c10::Symbol::prim("requires_grad"),
      c10::Symbol::aten("is_complex")};
  const auto kind = node.kind();
  if (kinds_of_tensor.contains(kind)) return true;
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

/// Operators of the language that give what they are given, or a part of it.
bool passes_on(const torch::jit::Node& node) {
  namespace prim = torch::jit::prim;
  const auto kind = node.kind();
  return kind == prim::TupleIndex || kind == prim::TupleUnpack || kind == prim::ListUnpack ||
         kind == prim::unchecked_cast || kind == torch::jit::aten::__getitem__;
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

} // namespace

bool looks_at_values(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) {
  if (node.maybeSchema() == nullptr || std::none_of(inputs.begin(), inputs.end(), holds_tensor))
    return false;
  if (compares_elements(node) || shapes_by_value(node, inputs)) return true;
  const auto outputs = node.outputs();
  return !passes_on(node) && !asks_for_size(node) && !asks_for_structure(node, inputs) &&
         std::any_of(outputs.begin(), outputs.end(), [](const torch::jit::Value* output) {
           return may_tell_values(output->type());
         });
}

} // namespace model_validator::verify
