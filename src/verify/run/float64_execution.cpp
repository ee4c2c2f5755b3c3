#include "connected_graph/torchscript/ir/operator_effects.h"
#include "verify/run/execution.h"
#include "verify/run/tensor_tree.h"

#include <c10/core/DefaultDtype.h>

#include <unordered_map>

namespace model_validator::verify {
namespace {

bool is_narrow_float(c10::ScalarType type) {
  return type == c10::kFloat || type == c10::kHalf || type == c10::kBFloat16;
}
bool is_narrow(const at::Tensor& tensor) { return is_narrow_float(tensor.scalar_type()); }

/// Factories without a dtype argument follow the default dtype, which is global in LibTorch.
class DoubleByDefault {
public:
  DoubleByDefault() { c10::set_default_dtype(caffe2::TypeMeta::Make<double>()); }
  ~DoubleByDefault() { c10::set_default_dtype(before_); }
  DoubleByDefault(const DoubleByDefault&) = delete;
  DoubleByDefault& operator=(const DoubleByDefault&) = delete;

private:
  caffe2::TypeMeta before_ = c10::get_default_dtype();
};

class Float64Execution final : public Execution {
public:
  c10::IValue enter(const c10::IValue& value) override {
    if (value.isObject() || !any_tensor(value, is_narrow)) return value;
    return map_tensors(value, [this](const at::Tensor& tensor) { return widened(tensor); });
  }

  void run(const torch::jit::Node&, Callable& callable, torch::jit::Stack& stack) override {
    const DoubleByDefault guard;
    if (callable.schema != nullptr) {
      widen_dtype_arguments(*callable.schema, stack);
      keep_what_is_written(*callable.schema, stack);
    }
    run_plainly(callable, stack);
  }

private:
  /// A parameter in float64, as long as something holds it: all of them together would be twice the
  /// model. One that is written into is kept, so that the next read sees what was written.
  struct Widened {
    at::Tensor original; ///< kept: its address is the key
    c10::weak_intrusive_ptr<c10::TensorImpl> copy;
    at::Tensor written;
  };

  at::Tensor widened(const at::Tensor& tensor) {
    if (!is_narrow(tensor)) return tensor;
    const auto found = widened_.find(tensor.unsafeGetTensorImpl());
    if (found != widened_.end())
      if (auto alive = found->second.copy.lock()) return at::Tensor(std::move(alive));
    auto copy = tensor.to(c10::kDouble);
    const c10::weak_intrusive_ptr<c10::TensorImpl> weak(copy.getIntrusivePtr());
    widened_.insert_or_assign(tensor.unsafeGetTensorImpl(), Widened{tensor, weak, {}});
    if (copy.has_storage())
      keys_[copy.storage().unsafeGetStorageImpl()] = tensor.unsafeGetTensorImpl();
    return copy;
  }

  void keep_what_is_written(const c10::FunctionSchema& schema, const torch::jit::Stack& stack) {
    for (std::size_t i = 0; i < stack.size(); ++i) {
      if (!torchscript::writes(schema, i) || !stack[i].isTensor()) continue;
      const auto& tensor = stack[i].toTensor();
      if (!tensor.defined() || !tensor.has_storage()) continue;
      const auto key = keys_.find(tensor.storage().unsafeGetStorageImpl());
      if (key == keys_.end()) continue;
      auto& entry = widened_.at(key->second);
      auto copy = entry.copy.lock();
      // The address may belong to another tensor by now.
      if (copy && copy->storage().is_alias_of(tensor.storage()))
        entry.written = at::Tensor(std::move(copy));
    }
  }

  static void widen_dtype_arguments(const c10::FunctionSchema& schema, torch::jit::Stack& stack) {
    const auto& arguments = schema.arguments();
    for (std::size_t i = 0; i < stack.size() && i < arguments.size(); ++i) {
      if (arguments[i].name() != "dtype" || !stack[i].isInt()) continue;
      if (is_narrow_float(static_cast<c10::ScalarType>(stack[i].toInt())))
        stack[i] = static_cast<std::int64_t>(c10::kDouble);
    }
  }

  std::unordered_map<const c10::TensorImpl*, Widened> widened_;
  std::unordered_map<const c10::StorageImpl*, const c10::TensorImpl*> keys_; ///< by copy
};

} // namespace

std::unique_ptr<Execution> float64_execution() { return std::make_unique<Float64Execution>(); }

} // namespace model_validator::verify
