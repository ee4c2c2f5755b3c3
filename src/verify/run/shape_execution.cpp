#include "connected_graph/torchscript/code/static_types.h"
#include "connected_graph/torchscript/ir/operator_effects.h"
#include "verify/run/deciding_values.h"
#include "verify/run/execution.h"
#include "verify/run/tensor_tree.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::verify {
namespace {

using StandIns = std::vector<std::pair<at::Tensor, at::Tensor>>; ///< CPU tensor, its original

at::Tensor stand_in(const at::Tensor& tensor, bool dense) {
  const auto options = tensor.options().device(c10::kCPU);
  if (dense) return at::zeros(tensor.sizes(), options);
  const std::vector<std::int64_t> strides(static_cast<std::size_t>(tensor.dim()), 0);
  return at::zeros({1}, options).as_strided(tensor.sizes(), strides);
}

/// Tensors that have values keep them: some operators look at lengths or masks.
torch::jit::Stack on_cpu(const torch::jit::Stack& stack, bool dense, StandIns& stand_ins) {
  torch::jit::Stack result;
  for (const auto& value : stack) {
    if (value.isDevice())
      result.emplace_back(c10::Device(c10::kCPU));
    else
      result.push_back(map_tensors(value, [&](const at::Tensor& tensor) {
        if (!tensor.is_meta()) return tensor;
        stand_ins.emplace_back(stand_in(tensor, dense), tensor);
        return stand_ins.back().first;
      }));
  }
  return result;
}

/// An in-place operator returns its own argument.
at::Tensor result_of(const at::Tensor& tensor, const StandIns& stand_ins) {
  for (const auto& [cpu, original] : stand_ins)
    if (cpu.is_same(tensor)) return original;
  if (tensor.is_quantized()) return tensor; // quantized tensors need bytes
  return at::empty(tensor.sizes(), tensor.options().device(c10::kMeta));
}

/// Writes through pointers computed from the shape, so it needs a whole tensor.
bool needs_dense(const torch::jit::Node& node) {
  const std::string name = node.kind().toQualString();
  return name.rfind("aten::_weight_norm", 0) == 0;
}

/// A tensor of the same shape, strides and dtype that has no bytes.
at::Tensor without_bytes(const at::Tensor& tensor) {
  const auto options = at::TensorOptions().dtype(tensor.dtype()).device(c10::kMeta);
  if (tensor.layout() != c10::kStrided) return at::empty(tensor.sizes(), options);
  return at::empty_strided(tensor.sizes(), tensor.strides(), options);
}

/// Runs one operator that cannot run without bytes: on CPU tensors of the same shapes, all of whose
/// elements are one and the same zero. Tensors that have bytes are used unchanged. Its results have
/// none.
void run_on_small_tensors(const torch::jit::Node& node, Callable& callable,
                          torch::jit::Stack& stack) {
  for (bool dense = needs_dense(node);; dense = true) {
    StandIns stand_ins;
    torch::jit::Stack attempt = on_cpu(stack, dense, stand_ins);
    if (callable.variadic) attempt.emplace_back(static_cast<std::int64_t>(callable.arguments));
    try {
      callable.operation(attempt);
    } catch (const std::exception&) {
      if (dense) throw;
      continue;
    }
    for (auto& value : attempt)
      value = map_tensors(value,
                          [&](const at::Tensor& tensor) { return result_of(tensor, stand_ins); });
    stack = std::move(attempt);
    return;
  }
}

/// Larger integer tensors are not worth their bytes: nothing computes shapes from them.
constexpr std::int64_t max_real_tensor_size = std::int64_t{1} << 22;

bool belongs_on_meta(const at::Tensor& tensor) {
  return !tensor.is_meta() && (tensor.is_floating_point() || tensor.is_complex() ||
                               tensor.numel() > max_real_tensor_size);
}

bool writes(Callable& callable, std::size_t argument) {
  return callable.schema != nullptr && torchscript::writes(*callable.schema, argument);
}

/// Lists and dicts that an operator changes must keep their identity.
bool is_written_container(Callable& callable, std::size_t argument) {
  return writes(callable, argument) &&
         torchscript::is_collection(*callable.schema->arguments()[argument].type());
}

double product(const std::vector<std::int64_t>& sizes) {
  double elements = 1;
  for (const auto size : sizes) elements *= std::abs(static_cast<double>(size));
  return elements;
}

/// How many elements an operator could make from numbers alone: by a list of sizes (`zeros`,
/// `repeat`), or a count (`arange`, `linspace`).
double elements_by_numbers(Callable& callable, const torch::jit::Stack& stack) {
  static const std::set<std::string> counts{"end", "steps", "n",       "m",
                                            "row", "col",   "repeats", "window_length"};
  double most = 0;
  const auto& arguments = callable.schema->arguments();
  for (std::size_t i = 0; i < stack.size() && i < arguments.size(); ++i) {
    if (stack[i].isIntList()) most = std::max(most, product(stack[i].toIntVector()));
    if (!counts.contains(arguments[i].name())) continue;
    if (stack[i].isInt()) most = std::max(most, std::abs(static_cast<double>(stack[i].toInt())));
    if (stack[i].isDouble()) most = std::max(most, std::abs(stack[i].toDouble()));
  }
  return most;
}

class ShapeExecution final : public Execution {
public:
  c10::IValue enter(const c10::IValue& value) override {
    if (value.isObject() || !any_tensor(value, belongs_on_meta)) return value;
    return map_tensors(value, [this](const at::Tensor& tensor) { return emptied(tensor); });
  }

  /// A trace keeps Python's numbers as constants without dimensions, and computes sizes with them.
  c10::IValue enter_constant(const c10::IValue& value) override {
    const bool number =
        value.isTensor() && value.toTensor().defined() && value.toTensor().dim() == 0;
    return number ? value : enter(value);
  }

  c10::IValue enter_attribute(const c10::IValue& value) override { return value; }

  /// One number that the model holds, such as the scale of a quantized module, keeps its value.
  std::unique_ptr<RunState> enter_state(const torch::jit::Module& module) override {
    return std::make_unique<RunState>(
        module, [copies = TensorCopies()](const at::Tensor& tensor) mutable {
          return belongs_on_meta(tensor) && tensor.numel() != 1 ? without_bytes(tensor)
                                                                : copies(tensor);
        });
  }

  void run(const torch::jit::Node& node, Callable& callable, torch::jit::Stack& stack) override {
    if (node.kind() == c10::prim::device) {
      stack = {c10::Device(c10::kCPU)};
      return;
    }
    if (holds_unknown(stack))
      run_without_values(node, callable, stack);
    else
      run_on_real_values(node, callable, stack);
  }

private:
  /// A tensor that unknown values were written to, or that was quantized from them, has memory, but
  /// no meaningful values.
  bool is_unknown(const at::Tensor& tensor) const {
    return tensor.is_meta() || (!overwritten_.empty() && tensor.has_storage() &&
                                overwritten_.count(tensor.storage().unsafeGetStorageImpl()) != 0);
  }

  bool holds_unknown(const torch::jit::Stack& stack) const {
    const auto unknown = [this](const at::Tensor& tensor) { return is_unknown(tensor); };
    return std::ranges::any_of(
        stack, [&](const c10::IValue& value) { return any_tensor(value, unknown); });
  }

  /// Tensors that would be too large to be worth their bytes are made without them.
  void run_on_real_values(const torch::jit::Node& node, Callable& callable,
                          torch::jit::Stack& stack) {
    if (!callable.lacks_meta && may_make_large_tensor(callable, stack)) {
      torch::jit::Stack attempt = stack;
      if (run_on_meta(node, callable, attempt) && std::ranges::any_of(attempt, is_large)) {
        stack = std::move(attempt);
        return;
      }
    }
    run_plainly(callable, stack);
  }

  static bool is_large(const c10::IValue& value) {
    return any_tensor(
        value, [](const at::Tensor& tensor) { return tensor.numel() > max_real_tensor_size; });
  }

  static bool may_make_large_tensor(Callable& callable, const torch::jit::Stack& stack) {
    if (callable.schema == nullptr) return false;
    double elements = std::max(1.0, elements_by_numbers(callable, stack));
    for (const auto& value : stack)
      for_each_tensor(value, [&](const at::Tensor& tensor) {
        elements *= std::max<double>(1.0, static_cast<double>(tensor.numel()));
      });
    return elements > static_cast<double>(max_real_tensor_size) &&
           torchscript::makes_tensors(*callable.schema);
  }

  void run_without_values(const torch::jit::Node& node, Callable& callable,
                          torch::jit::Stack& stack) {
    const auto unknown = [this](const at::Tensor& tensor) { return is_unknown(tensor); };
    const bool needs_bytes =
        values_decide(node, stack, unknown) || callable.lacks_meta || holds_quantized(stack);
    note_written(callable, stack);
    if (!needs_bytes && run_on_meta(node, callable, stack)) return;
    run_on_small_tensors(node, callable, stack);
    note_quantized(stack);
  }

  static bool holds_quantized(const torch::jit::Stack& stack) {
    const auto quantized = [](const at::Tensor& tensor) { return tensor.is_quantized(); };
    return std::ranges::any_of(
        stack, [&](const c10::IValue& value) { return any_tensor(value, quantized); });
  }

  /// Quantized results have bytes, computed from unknown values.
  void note_quantized(const torch::jit::Stack& results) {
    for (const auto& result : results)
      for_each_tensor(result, [this](const at::Tensor& tensor) {
        if (tensor.is_quantized() && tensor.has_storage())
          overwritten_.emplace(tensor.storage().unsafeGetStorageImpl(), tensor);
      });
  }

  /// @return false where LibTorch cannot; the stack is then as it was
  bool run_on_meta(const torch::jit::Node& node, Callable& callable, torch::jit::Stack& stack) {
    torch::jit::Stack attempt = stack;
    try {
      move_to_meta(callable, attempt);
      run_plainly(callable, attempt);
    } catch (const c10::NotImplementedError&) {
      callable.lacks_meta = true;
      return false;
    } catch (const std::exception&) {
      if (returns_numbers(node)) throw; // the numbers come from shapes, so the error is real
      return false;
    }
    stack = std::move(attempt);
    return true;
  }

  static bool returns_numbers(const torch::jit::Node& node) {
    return !node.outputs().empty() && std::ranges::all_of(node.outputs(), [](const auto* output) {
      const auto kind = output->type()->kind();
      return kind == c10::TypeKind::IntType || kind == c10::TypeKind::FloatType ||
             kind == c10::TypeKind::BoolType || kind == c10::TypeKind::NumberType;
    });
  }

  void move_to_meta(Callable& callable, torch::jit::Stack& stack) const {
    const auto& arguments =
        callable.schema != nullptr ? callable.schema->arguments() : no_arguments_;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      const bool device = i < arguments.size() && arguments[i].name() == "device";
      if (stack[i].isDevice() || (device && stack[i].isNone()))
        stack[i] = c10::Device(c10::kMeta);
      else if (!is_written_container(callable, i))
        stack[i] = map_tensors(stack[i], [this](const at::Tensor& tensor) {
          const bool number = tensor.dim() == 0 && !is_unknown(tensor);
          return tensor.is_meta() || number ? tensor : without_bytes(tensor);
        });
    }
  }

  void note_written(Callable& callable, const torch::jit::Stack& stack) {
    for (std::size_t i = 0; i < stack.size(); ++i)
      if (writes(callable, i))
        for_each_tensor(stack[i], [this](const at::Tensor& tensor) {
          if (!tensor.is_meta() && tensor.has_storage())
            overwritten_.emplace(tensor.storage().unsafeGetStorageImpl(), tensor);
        });
  }

  /// The same parameter becomes the same tensor each time.
  at::Tensor emptied(const at::Tensor& tensor) {
    if (!belongs_on_meta(tensor)) return tensor;
    auto& entry = emptied_[tensor.unsafeGetTensorImpl()];
    if (!entry.second.defined()) entry = {tensor, without_bytes(tensor)};
    return entry.second;
  }

  /// The original is kept with its stand-in: its address is the key.
  std::unordered_map<const c10::TensorImpl*, std::pair<at::Tensor, at::Tensor>> emptied_;
  std::unordered_map<const c10::StorageImpl*, at::Tensor>
      overwritten_; ///< kept for the same reason
  const std::vector<c10::Argument> no_arguments_;
};

} // namespace

std::unique_ptr<Execution> shape_execution() { return std::make_unique<ShapeExecution>(); }

} // namespace model_validator::verify
