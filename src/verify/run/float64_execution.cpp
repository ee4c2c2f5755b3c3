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
    if (callable.schema != nullptr) widen_dtype_arguments(*callable.schema, stack);
    run_plainly(callable, stack);
  }

private:
  /// The same parameter becomes the same tensor each time, so that what writes into it is seen.
  at::Tensor widened(const at::Tensor& tensor) {
    if (!is_narrow(tensor)) return tensor;
    auto& entry = widened_[tensor.unsafeGetTensorImpl()];
    if (!entry.second.defined()) entry = {tensor, tensor.to(c10::kDouble)};
    return entry.second;
  }

  static void widen_dtype_arguments(const c10::FunctionSchema& schema, torch::jit::Stack& stack) {
    const auto& arguments = schema.arguments();
    for (std::size_t i = 0; i < stack.size() && i < arguments.size(); ++i) {
      if (arguments[i].name() != "dtype" || !stack[i].isInt()) continue;
      if (is_narrow_float(static_cast<c10::ScalarType>(stack[i].toInt())))
        stack[i] = static_cast<std::int64_t>(c10::kDouble);
    }
  }

  /// The original is kept beside its copy: its address is the key.
  std::unordered_map<const c10::TensorImpl*, std::pair<at::Tensor, at::Tensor>> widened_;
};

} // namespace

std::unique_ptr<Execution> float64_execution() { return std::make_unique<Float64Execution>(); }

} // namespace model_validator::verify
