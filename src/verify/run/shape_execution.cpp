#include "verify/run/execution.h"
#include "verify/run/shape_fallback.h"
#include "verify/run/tensor_tree.h"

#include <ATen/ops/empty_strided.h>

#include <unordered_map>

namespace model_validator::verify {
namespace {

/// Integer tensors beyond it are not worth their bytes: nobody computes shapes from them.
constexpr std::int64_t largest_real_tensor = std::int64_t{1} << 22;

bool belongs_on_meta(const at::Tensor& tensor) {
  return !tensor.is_meta() && (tensor.is_floating_point() || tensor.is_complex() ||
                               tensor.numel() > largest_real_tensor);
}

bool holds_meta(const torch::jit::Stack& stack) {
  const auto is_meta = [](const at::Tensor& tensor) { return tensor.is_meta(); };
  return std::any_of(stack.begin(), stack.end(),
                     [&](const c10::IValue& value) { return any_tensor(value, is_meta); });
}

/// Lists that an operator changes must stay the very same lists.
bool is_written_list(Callable& callable, std::size_t argument) {
  if (callable.schema == nullptr || argument >= callable.schema->arguments().size()) return false;
  const auto& declared = callable.schema->arguments()[argument];
  const auto* alias = declared.alias_info();
  return alias != nullptr && alias->isWrite() && declared.type()->kind() == c10::TypeKind::ListType;
}

/// Indices keep their values: a boolean mask decides how long the result is.
bool keeps_real_tensors(const torch::jit::Node& node) {
  return node.kind() == c10::aten::index || node.kind() == c10::aten::masked_select;
}

void move_to_meta(const torch::jit::Node& node, Callable& callable, torch::jit::Stack& stack) {
  for (std::size_t i = 0; i < stack.size(); ++i) {
    if (stack[i].isDevice())
      stack[i] = c10::Device(c10::kMeta);
    else if (!keeps_real_tensors(node) && !is_written_list(callable, i))
      stack[i] = map_tensors(stack[i], [](const at::Tensor& tensor) {
        return tensor.is_meta() || tensor.dim() == 0 ? tensor : without_bytes(tensor);
      });
  }
}

/// A large factory (`zeros`, `arange`) makes its tensor without bytes.
void move_large_factory_to_meta(Callable& callable, torch::jit::Stack& stack) {
  if (callable.schema == nullptr) return;
  bool large = false;
  for (const auto& value : stack) {
    if (!value.isIntList()) continue;
    double elements = 1;
    for (const auto size : value.toIntVector()) elements *= static_cast<double>(size);
    large = large || elements > static_cast<double>(largest_real_tensor);
  }
  const auto& arguments = callable.schema->arguments();
  for (std::size_t i = 0; large && i < stack.size() && i < arguments.size(); ++i)
    if (arguments[i].name() == "device") stack[i] = c10::Device(c10::kMeta);
}

class ShapeExecution final : public Execution {
public:
  c10::IValue enter(const c10::IValue& value) override {
    if (value.isObject() || !any_tensor(value, belongs_on_meta)) return value;
    return map_tensors(value, [this](const at::Tensor& tensor) { return emptied(tensor); });
  }

  void run(const torch::jit::Node& node, Callable& callable, torch::jit::Stack& stack) override {
    if (node.kind() == c10::prim::device) {
      stack = {c10::Device(c10::kCPU)};
      return;
    }
    if (!holds_meta(stack))
      run_on_real_values(callable, stack);
    else
      run_on_meta(node, callable, stack);
  }

private:
  static void run_on_real_values(Callable& callable, torch::jit::Stack& stack) {
    move_large_factory_to_meta(callable, stack);
    run_plainly(callable, stack);
    for (auto& value : stack)
      if (value.isTensor() && value.toTensor().defined() &&
          value.toTensor().numel() > largest_real_tensor && !value.toTensor().is_meta())
        value = without_bytes(value.toTensor());
  }

  static void run_on_meta(const torch::jit::Node& node, Callable& callable,
                          torch::jit::Stack& stack) {
    refuse_if_data_decides(node, stack);
    move_to_meta(node, callable, stack);
    const torch::jit::Stack before = stack;
    try {
      run_plainly(callable, stack);
    } catch (const std::exception&) {
      stack = before;
      run_on_small_tensors(node, callable, stack);
    }
  }

  /// The same parameter becomes the same tensor each time.
  at::Tensor emptied(const at::Tensor& tensor) {
    if (!belongs_on_meta(tensor)) return tensor;
    auto& entry = emptied_[tensor.unsafeGetTensorImpl()];
    if (!entry.second.defined()) entry = {tensor, without_bytes(tensor)};
    return entry.second;
  }

  /// The original is kept beside its stand-in: its address is the key.
  std::unordered_map<const c10::TensorImpl*, std::pair<at::Tensor, at::Tensor>> emptied_;
};

} // namespace

std::unique_ptr<Execution> shape_execution() { return std::make_unique<ShapeExecution>(); }

} // namespace model_validator::verify
