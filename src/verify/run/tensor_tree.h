#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <initializer_list>
#include <vector>

namespace model_validator::verify {

using TensorVisitor = std::function<void(const at::Tensor&)>;
using TensorMap = std::function<at::Tensor(const at::Tensor&)>;

/// Calls `visit` with every defined tensor in tuples, lists and dicts, in order. Objects are not
/// searched.
void for_each_tensor(const c10::IValue& value, const TensorVisitor& visit);
/// Whether any of those tensors satisfies `asked`.
bool any_tensor(const c10::IValue& value, const std::function<bool(const at::Tensor&)>& asked);
bool holds_tensor(const c10::IValue& value);

/// All of them in several values, in order.
template <class Values = std::initializer_list<c10::IValue>>
std::vector<at::Tensor> tensors_of(const Values& values) {
  std::vector<at::Tensor> tensors;
  for (const c10::IValue& value : values)
    for_each_tensor(value, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

/// Whether two tensors are equal to the last bit, NaN equal to NaN.
bool identical(const at::Tensor& left, const at::Tensor& right);

/// The same structure with every defined tensor replaced. A list or dict without tensors is
/// returned itself, so that its identity survives.
c10::IValue map_tensors(const c10::IValue& value, const TensorMap& map);

/// A tuple of other elements, with the same type where that has a name.
c10::IValue tuple_like(const c10::IValue& value, std::vector<c10::IValue> elements);

/// A copy that shares no memory with the original.
c10::IValue clone_tensors(const c10::IValue& value);

} // namespace model_validator::verify
