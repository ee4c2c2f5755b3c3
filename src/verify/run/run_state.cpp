#include "verify/run/run_state.h"

#include "connected_graph/torchscript/code/reachable_values.h"

#include <ATen/ops/empty.h>

#include <cstring>

namespace model_validator::verify {

RunState::RunState(const torch::jit::Module& module, TensorMap stand_in)
    : stand_in_(std::move(stand_in)) {
  torchscript::for_each_reachable(module._ivalue(), [this](const c10::IValue& value) {
    if (value.isObject()) saved_.emplace_back(value.toObject(), value.toObjectRef().slots());
  });
  for (const auto& [object, slots] : saved_)
    for (std::size_t i = 0; i < slots.size(); ++i) object->setSlot(i, copy(slots[i]));
}

RunState::~RunState() {
  for (auto& [object, slots] : saved_)
    for (std::size_t i = 0; i < slots.size(); ++i) object->setSlot(i, std::move(slots[i]));
}

c10::IValue RunState::copy(const c10::IValue& value) {
  const bool tensor = value.isTensor() && value.toTensor().defined();
  if (!tensor && !value.isTuple() && !value.isList() && !value.isGenericDict()) return value;
  const auto found = copies_.find(value.internalToPointer());
  return found != copies_.end() ? found->second : copy_contents(value);
}

c10::IValue RunState::copy_contents(const c10::IValue& value) {
  if (value.isList()) return copy_list(value);
  if (value.isGenericDict()) return copy_dict(value);
  c10::IValue copied;
  if (value.isTensor()) {
    copied = stand_in_(value.toTensor());
  } else {
    std::vector<c10::IValue> elements;
    for (const c10::IValue& element : value.toTupleRef().elements())
      elements.push_back(copy(element));
    copied = tuple_like(value, std::move(elements));
  }
  copies_.emplace(value.internalToPointer(), copied);
  return copied;
}

/// It is noted before it is filled, because a list can hold itself.
c10::IValue RunState::copy_list(const c10::IValue& value) {
  c10::impl::GenericList copied(value.toList().elementType());
  copies_.emplace(value.internalToPointer(), copied);
  for (const c10::IValue& element : value.toListRef()) copied.push_back(copy(element));
  return copied;
}

c10::IValue RunState::copy_dict(const c10::IValue& value) {
  const auto dict = value.toGenericDict();
  c10::impl::GenericDict copied(dict.keyType(), dict.valueType());
  copies_.emplace(value.internalToPointer(), copied);
  for (const auto& item : dict) copied.insert(item.key(), copy(item.value()));
  return copied;
}

at::Tensor TensorCopies::operator()(const at::Tensor& tensor) {
  if (!tensor.has_storage() || tensor.is_meta()) return tensor.clone();
  const c10::Storage& original = tensor.storage();
  const auto [entry, fresh] = copies_.try_emplace(original.unsafeGetStorageImpl());
  if (fresh) {
    const auto size = static_cast<std::int64_t>(original.nbytes());
    entry->second = at::empty({size}, at::kByte).storage();
    std::memcpy(entry->second.mutable_data(), original.data(), original.nbytes());
  }
  at::Tensor copied = tensor.detach();
  copied.unsafeGetTensorImpl()->set_storage_keep_dtype(entry->second);
  return copied;
}

} // namespace model_validator::verify
