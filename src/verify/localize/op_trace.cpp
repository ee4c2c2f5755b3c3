#include "verify/localize/op_trace.h"

#include "verify/run/failure.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/verify/interpreter.h>

#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace model_validator::verify {
namespace {

constexpr std::size_t nobody = static_cast<std::size_t>(-1);

std::string type_of(const torch::jit::Node& node) {
  std::string type = node.kind().toUnqualString();
  while (type.size() > 1 && type.back() == '_' && type[type.size() - 2] != '_') type.pop_back();
  return type;
}

/// Only operators make tensors: calls, branches and lists hand them on.
bool makes_tensors(const torch::jit::Node& node) {
  return node.maybeOperator() != nullptr && node.blocks().empty() &&
         node.kind() != torch::jit::prim::TupleUnpack &&
         node.kind() != torch::jit::prim::ListUnpack;
}

class OpRecorder final : public RunObserver {
public:
  void on_step(const Step& step) override {
    if (!makes_tensors(step.node)) return;
    TracedOp op;
    std::vector<at::Tensor> results;
    for (const auto& output : step.outputs)
      for_each_tensor(output, [&](const at::Tensor& tensor) { results.push_back(tensor); });
    if (results.empty()) return;
    for (const auto& input : step.inputs)
      for_each_tensor(input,
                      [&](const at::Tensor& tensor) { note_producer(tensor, op.producers); });
    describe(op, step);
    for (const auto& result : results) {
      op.outputs.push_back(sketch_of(result));
      note_result(result, step, trace.ops.size());
    }
    trace.ops.push_back(std::move(op));
  }

  std::size_t maker_of(const at::Tensor& tensor) const {
    const auto found = makers_.find(tensor.unsafeGetTensorImpl());
    return found == makers_.end() || found->second.tensor.expired() ? nobody : found->second.op;
  }

  OpTrace trace;

private:
  /// An address is used again once its tensor is gone: the weak pointer tells.
  struct Maker {
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;
    std::size_t op;
  };

  void note_producer(const at::Tensor& tensor, std::vector<std::size_t>& producers) const {
    const auto add = [&](std::size_t op) {
      if (op != nobody && std::find(producers.begin(), producers.end(), op) == producers.end())
        producers.push_back(op);
    };
    add(maker_of(tensor));
    if (!tensor.has_storage()) return;
    const auto writer = writers_.find(tensor.storage().unsafeGetStorageImpl());
    if (writer != writers_.end()) add(writer->second);
  }

  /// Writing into a view changes the tensor it is a view of.
  void note_result(const at::Tensor& tensor, const Step& step, std::size_t op) {
    makers_.insert_or_assign(
        tensor.unsafeGetTensorImpl(),
        Maker{c10::weak_intrusive_ptr<c10::TensorImpl>(tensor.getIntrusivePtr()), op});
    if (!tensor.has_storage()) return;
    bool in_place = false;
    for (const auto& input : step.inputs)
      in_place = in_place || (input.isTensor() && input.toTensor().is_same(tensor));
    const auto* storage = tensor.storage().unsafeGetStorageImpl();
    if (in_place)
      writers_[storage] = op;
    else if (tensor.storage().use_count() == 1)
      writers_.erase(storage); // a new one at an old address
  }

  void describe(TracedOp& op, const Step& step) {
    op.type = type_of(step.node);
    op.name = op.type + "_" + std::to_string(counters_[op.type]++);
    op.module = step.module_path;
    op.source = location_of(step.node);
  }

  std::unordered_map<const c10::TensorImpl*, Maker> makers_;
  std::unordered_map<const c10::StorageImpl*, std::size_t> writers_;
  std::map<std::string, std::size_t> counters_;
};

} // namespace

OpTrace trace_ops(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs) {
  OpRecorder recorder;
  const auto result = Interpreter(module).run(inputs, &recorder);
  for_each_tensor(result, [&](const at::Tensor& tensor) {
    recorder.trace.results.push_back(recorder.maker_of(tensor));
  });
  return std::move(recorder.trace);
}

} // namespace model_validator::verify
