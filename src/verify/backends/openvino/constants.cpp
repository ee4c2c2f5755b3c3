#include "verify/backends/openvino/constants.h"

#include "verify/backends/openvino/types.h"

#include <ATen/Functions.h>
#include <openvino/frontend/complex_type_mark.hpp>
#include <openvino/op/constant.hpp>

namespace model_validator::verify {
namespace {

using ov::op::v0::Constant;

template <class T>
ov::OutputVector constant(const ov::element::Type& type, const ov::Shape& shape,
                          const std::vector<T>& values) {
  return std::make_shared<Constant>(type, shape, values)->outputs();
}

ov::OutputVector dense_constant(const at::Tensor& tensor) {
  const ov::Shape shape(tensor.sizes().begin(), tensor.sizes().end());
  const auto type = to_openvino(tensor.scalar_type());
  if (tensor.numel() == 0) return std::make_shared<Constant>(type, shape)->outputs();
  return std::make_shared<Constant>(type, shape, tensor.data_ptr())->outputs();
}

/// A complex tensor is a real one with a last dimension of two, and a mark.
ov::OutputVector complex_constant(const at::Tensor& tensor) {
  const auto parts = at::view_as_real(tensor.resolve_conj()).contiguous();
  const auto real = dense_constant(parts);
  return std::make_shared<ov::frontend::ComplexTypeMark>(real[0], real[0].get_element_type())
      ->outputs();
}

ov::OutputVector list_constant(const c10::IValue& value) {
  if (value.isIntList()) {
    const auto list = value.toIntVector();
    return constant<std::int64_t>(ov::element::i64, {list.size()}, list);
  }
  if (value.isDoubleList()) {
    const auto list = value.toDoubleVector();
    return constant<float>(ov::element::f32, {list.size()},
                           std::vector<float>(list.begin(), list.end()));
  }
  if (value.isBoolList()) {
    const auto list = value.toBoolList();
    return constant<char>(ov::element::boolean, {list.size()},
                          std::vector<char>(list.begin(), list.end()));
  }
  return {};
}

} // namespace

ov::OutputVector to_constant(const c10::IValue& value) {
  if (value.isTensor()) {
    const auto tensor = value.toTensor().detach().contiguous();
    return tensor.is_complex() ? complex_constant(tensor) : dense_constant(tensor);
  }
  if (value.isInt()) return constant<std::int64_t>(ov::element::i64, {}, {value.toInt()});
  if (value.isDouble())
    return constant<float>(ov::element::f32, {}, {static_cast<float>(value.toDouble())});
  if (value.isBool()) return constant<char>(ov::element::boolean, {}, {value.toBool()});
  return list_constant(value);
}

} // namespace model_validator::verify
