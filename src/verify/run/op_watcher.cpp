#include "verify/run/op_watcher.h"

#include "verify/run/tensor_tree.h"

#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

std::string type_of(const torch::jit::Node& node) {
  std::string type = node.kind().toUnqualString();
  while (type.size() > 1 && type.back() == '_' && type[type.size() - 2] != '_') type.pop_back();
  return type;
}

/// Only operators make tensors: calls, branches and lists pass them on.
bool makes_tensors(const torch::jit::Node& node) {
  return node.maybeOperator() != nullptr && node.blocks().empty() &&
         node.kind() != torch::jit::prim::TupleUnpack &&
         node.kind() != torch::jit::prim::ListUnpack;
}

} // namespace

void OpWatcher::on_step(const Step& step) {
  if (!makes_tensors(step.node)) return;
  std::vector<at::Tensor> results;
  for (const auto& output : step.outputs)
    for_each_tensor(output, [&](const at::Tensor& tensor) { results.push_back(tensor); });
  if (results.empty()) return;
  const auto type = type_of(step.node);
  WatchedOp op{count_++, type + "_" + std::to_string(counters_[type]++), type, step, {}, {}};
  for (const auto& input : step.inputs)
    for_each_tensor(input, [&](const at::Tensor& tensor) { note_producers(tensor, op.producers); });
  for (std::size_t i = 0; i < results.size(); ++i) note_result(results[i], step, {op.number, i});
  op.results = std::move(results);
  visit_(op);
}

std::optional<ResultId> OpWatcher::maker_of(const at::Tensor& tensor) const {
  const auto found = makers_.find(tensor.unsafeGetTensorImpl());
  if (found == makers_.end() || found->second.tensor.expired()) return std::nullopt;
  return found->second.result;
}

void OpWatcher::note_producers(const at::Tensor& tensor, std::vector<ResultId>& producers) const {
  const auto add = [&](ResultId result) {
    if (std::ranges::find(producers, result) == producers.end()) producers.push_back(result);
  };
  if (const auto maker = maker_of(tensor)) add(*maker);
  if (!tensor.has_storage()) return;
  const auto writer = writers_.find(tensor.storage().unsafeGetStorageImpl());
  if (writer != writers_.end()) add(writer->second);
}

/// Writing into a view changes the tensor it is a view of.
void OpWatcher::note_result(const at::Tensor& tensor, const Step& step, ResultId result) {
  makers_.insert_or_assign(
      tensor.unsafeGetTensorImpl(),
      Maker{c10::weak_intrusive_ptr<c10::TensorImpl>(tensor.getIntrusivePtr()), result});
  if (!tensor.has_storage()) return;
  const bool in_place = std::ranges::any_of(step.inputs, [&](const c10::IValue& input) {
    return input.isTensor() && input.toTensor().is_same(tensor);
  });
  const auto* storage = tensor.storage().unsafeGetStorageImpl();
  if (in_place)
    writers_[storage] = result;
  else if (tensor.storage().use_count() == 1)
    writers_.erase(storage); // a new one at an old address
}

} // namespace model_validator::verify
