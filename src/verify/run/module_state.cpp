#include "verify/run/module_state.h"

#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <c10/core/GradMode.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

bool same_state(const c10::IValue& before, const c10::IValue& after);

template <class Values> bool same_elements(const Values& before, const Values& after) {
  return std::ranges::equal(before, after, same_state);
}

bool same_tensor(const at::Tensor& before, const at::Tensor& after) {
  if (!before.defined() || !after.defined()) return before.defined() == after.defined();
  if (before.layout() != at::kStrided || before.is_quantized())
    return before.scalar_type() == after.scalar_type() && before.sizes().equals(after.sizes());
  return identical(before, after);
}

bool same_entries(const c10::Dict<c10::IValue, c10::IValue>& before,
                  const c10::Dict<c10::IValue, c10::IValue>& after) {
  return before.size() == after.size() &&
         std::all_of(before.begin(), before.end(), [&](const auto& entry) {
           const auto other = after.find(entry.key());
           return other != after.end() && same_state(entry.value(), other->value());
         });
}

bool same_state(const c10::IValue& before, const c10::IValue& after) {
  if (before.tagKind() != after.tagKind()) return false;
  if (before.isTensor()) return same_tensor(before.toTensor(), after.toTensor());
  if (before.isObject())
    return same_elements(before.toObjectRef().slots(), after.toObjectRef().slots());
  if (before.isTuple())
    return same_elements(before.toTupleRef().elements(), after.toTupleRef().elements());
  if (before.isList()) return same_elements(before.toListRef(), after.toListRef());
  if (before.isGenericDict()) return same_entries(before.toGenericDict(), after.toGenericDict());
  const bool plain = before.isInt() || before.isDouble() || before.isBool() || before.isString();
  return !plain || before == after;
}

void add_changed(const std::string& path, const c10::IValue& before, const c10::IValue& after,
                 NamedTensors& changed) {
  if (same_state(before, after)) return;
  if (before.isObject() && after.isObject()) {
    const auto& object = before.toObjectRef();
    for (std::size_t i = 0; i < object.slots().size(); ++i)
      add_changed(join_path(path, object.type()->getAttributeName(i)), object.getSlot(i),
                  after.toObjectRef().getSlot(i), changed);
    return;
  }
  for (const auto& [part, value] : flatten(to_value(before)))
    if (const auto* tensor = std::get_if<Tensor>(&value.data))
      changed.push_back({part.empty() ? path : join_path(path, part), *tensor});
}

} // namespace

std::optional<NamedTensors> changed_state(const torch::jit::Module& module,
                                          const std::vector<std::vector<c10::IValue>>& samples) {
  const c10::NoGradGuard no_gradients;
  auto used = module.deepcopy();
  for (const auto& sample : samples) {
    used.forward(clone_inputs(sample));
    if (same_state(module._ivalue(), used._ivalue())) continue;
    NamedTensors changed;
    add_changed("", module._ivalue(), used._ivalue(), changed);
    return changed;
  }
  return std::nullopt;
}

void put_into_training(torch::jit::Module& module) {
  if (!module.hasattr("training"))
    throw Error(ErrorKind::not_trainable, "", "the model has no training mode",
                "export it without freezing it");
  for (auto each : module.modules())
    if (each.hasattr("training")) each.setattr("training", true);
}

} // namespace model_validator::verify
