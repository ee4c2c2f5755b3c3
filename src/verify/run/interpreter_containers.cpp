#include "verify/run/interpreter_implementation.h"

namespace model_validator::verify {
namespace {

namespace attr = torch::jit::attr;
namespace prim = torch::jit::prim;

template <class T> c10::IValue typed_list(const std::vector<c10::IValue>& elements) {
  c10::List<T> list;
  list.reserve(elements.size());
  for (const auto& element : elements) list.push_back(element.to<T>());
  return list;
}

/// Lists of the plain types have their own class, which the operators require.
c10::IValue make_list(const RunFrame& frame, const Node& node) {
  const auto type = node.output()->type()->expect<c10::ListType>()->getElementType();
  const auto elements = frame.inputs(node);
  switch (type->kind()) {
  case c10::TypeKind::IntType: return typed_list<std::int64_t>(elements);
  case c10::TypeKind::FloatType: return typed_list<double>(elements);
  case c10::TypeKind::BoolType: return typed_list<bool>(elements);
  case c10::TypeKind::TensorType: return typed_list<at::Tensor>(elements);
  default: break;
  }
  c10::impl::GenericList list(type);
  for (const auto& element : elements) list.push_back(element);
  return list;
}

c10::IValue make_tuple(const RunFrame& frame, const Node& node) {
  const auto type = node.output()->type()->expect<c10::TupleType>();
  return type->schema() ? c10::ivalue::Tuple::createNamed(frame.inputs(node), type)
                        : c10::ivalue::Tuple::create(frame.inputs(node));
}

c10::IValue make_dict(const RunFrame& frame, const Node& node) {
  const auto type = node.output()->type()->expect<c10::DictType>();
  c10::impl::GenericDict dict(type->getKeyType(), type->getValueType());
  for (std::size_t i = 0; i + 1 < node.inputs().size(); i += 2)
    dict.insert_or_assign(frame.input(node, i), frame.input(node, i + 1));
  return dict;
}

c10::IValue make_object(const Node& node) {
  const auto type = node.output()->type()->expect<c10::ClassType>();
  return c10::ivalue::Object::create(c10::StrongTypePtr(type->compilation_unit(), type),
                                     type->numAttributes());
}

void unpack(RunFrame& frame, const Node& node) {
  const auto value = frame.input(node, 0);
  const auto elements =
      value.isTuple() ? value.toTupleRef().elements().vec() : value.toListRef().vec();
  TORCH_CHECK(elements.size() == node.outputs().size(), "expected ", node.outputs().size(),
              " elements, got ", elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) frame.values[node.outputs()[i]] = elements[i];
}

c10::IValue slice(const RunFrame& frame, const Node& node) {
  const auto elements = frame.input(node, 0).toTupleRef().elements().vec();
  return c10::ivalue::Tuple::create(std::vector<c10::IValue>(elements.begin() + node.i(attr::beg),
                                                             elements.begin() + node.i(attr::end)));
}

bool is_instance(const RunFrame& frame, const Node& node) {
  const auto type = frame.input(node, 0).type();
  const auto& candidates = node.tys(attr::types);
  return std::ranges::any_of(
      candidates, [&](const c10::TypePtr& candidate) { return type->isSubtypeOf(*candidate); });
}

} // namespace

bool run_container(RunFrame& frame, const Node& node) {
  const auto kind = node.kind();
  if (kind == prim::ListConstruct)
    frame.set(node, make_list(frame, node));
  else if (kind == prim::TupleConstruct)
    frame.set(node, make_tuple(frame, node));
  else if (kind == prim::DictConstruct)
    frame.set(node, make_dict(frame, node));
  else if (kind == prim::TupleUnpack || kind == prim::ListUnpack)
    unpack(frame, node);
  else if (kind == prim::TupleSlice)
    frame.set(node, slice(frame, node));
  else if (kind == prim::CreateObject)
    frame.set(node, make_object(node));
  else if (kind == prim::isinstance)
    frame.set(node, is_instance(frame, node));
  else if (kind == prim::Uninitialized)
    frame.set(node, c10::IValue::uninitialized());
  else if (kind == prim::unchecked_cast || kind == prim::unchecked_unwrap_optional)
    frame.set(node, frame.input(node, 0));
  else
    return false;
  return true;
}

} // namespace model_validator::verify
