#include "connected_graph/torchscript/file/checked_operators.h"

#include <model_validator/data/words.h>

#include <ATen/core/stack.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Flags.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <array>
#include <cstdint>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <vector>

C10_DECLARE_bool(caffe2_cpu_allocator_do_zero_fill);

namespace model_validator::torchscript {
namespace {

using torch::jit::Stack;

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t max_text_width = std::int64_t{1} << 20U;

thread_local bool numbers_only = false;

/// The `count` arguments of an operator are on top of the stack, the last one topmost.
const c10::IValue& argument(const Stack& stack, std::size_t index, std::size_t count) {
  return torch::jit::peek(stack, index, count);
}

void check_division(const Stack& stack) {
  const c10::IValue& dividend = argument(stack, 0, 2);
  const c10::IValue& divisor = argument(stack, 1, 2);
  if (!dividend.isInt() || !divisor.isInt()) return;
  if (divisor.toInt() == 0) throw std::domain_error("integer division by zero");
  if (dividend.toInt() == smallest && divisor.toInt() == -1)
    throw std::overflow_error("integer division leaves 64 bits");
}

void check_common_divisor(const Stack& stack) {
  for (const std::size_t i : {0, 1})
    if (argument(stack, i, 2).toInt() == smallest)
      throw std::overflow_error("the greatest common divisor leaves 64 bits");
}

void check_types(const Stack& stack) {
  for (const std::size_t i : {0, 1}) {
    const std::int64_t type = argument(stack, i, 2).toInt();
    if (type < 0 || type >= static_cast<std::int64_t>(c10::ScalarType::NumOptions))
      throw std::out_of_range("there is no such dtype");
  }
}

void check_width(const c10::IValue& width) {
  if (width.toInt() > max_text_width) throw std::length_error("a text is padded beyond any sense");
}
void check_width_of_two(const Stack& stack) { check_width(argument(stack, 1, 2)); }
void check_width_of_three(const Stack& stack) { check_width(argument(stack, 1, 3)); }

/// LibTorch's `count` and `replace` never get past an empty string.
void check_pattern(const Stack& stack) {
  if (argument(stack, 1, 4).toStringRef().empty())
    throw std::invalid_argument("an empty text is looked for");
}

void check_center(const Stack& stack) {
  check_width_of_three(stack);
  // It pads until the width is equal, which never happens if the string is already longer.
  const auto size = static_cast<std::int64_t>(argument(stack, 0, 3).toStringRef().size());
  if (argument(stack, 1, 3).toInt() < size) throw std::length_error("a text is wider already");
}

/// Kernels take these sizes for those of the tensors that they come with.
void check_group_norm(const Stack& stack) {
  constexpr std::size_t count = 8;
  const c10::IValue& input = argument(stack, 0, count);
  const std::int64_t images = argument(stack, 3, count).toInt();
  const std::int64_t channels = argument(stack, 4, count).toInt();
  const std::int64_t pixels = argument(stack, 5, count).toInt();
  std::int64_t all = 0;
  if (!input.isTensor() || argument(stack, 6, count).toInt() <= 0 || images < 0 || channels < 0 ||
      pixels < 0 || __builtin_mul_overflow(images, channels, &all) ||
      __builtin_mul_overflow(all, pixels, &all) || all != input.toTensor().numel())
    throw std::out_of_range("the sizes of a group norm are not those of its input");
}

void check_weight_norm(const Stack& stack) {
  const c10::IValue& direction = argument(stack, 0, 3);
  const c10::IValue& length = argument(stack, 1, 3);
  const std::int64_t dimension = argument(stack, 2, 3).toInt();
  if (!direction.isTensor() || !length.isTensor() || dimension < 0 ||
      dimension >= direction.toTensor().dim())
    return; // no kernel of its own computes that
  if (direction.toTensor().size(dimension) != length.toTensor().numel())
    throw std::out_of_range("a weight norm has lengths that do not fit it");
}

void check_weights(const c10::IValue& weights) {
  if (weights.isTensorList() && weights.toTensorList().empty())
    throw std::out_of_range("a recurrent layer has no weights");
}
void check_layer(const Stack& stack) { check_weights(argument(stack, 2, 9)); }
void check_packed_layer(const Stack& stack) { check_weights(argument(stack, 3, 9)); }

void check_folding(const Stack&) {
  if (numbers_only) throw std::logic_error("nothing but numbers is folded");
}

/// Numbers of dtypes, layouts and memory formats index LibTorch's tables, which it does not check.
struct Enumeration {
  std::size_t position;
  std::int64_t count;
};

std::int64_t count_of(const c10::Type& type) {
  switch (type.kind()) {
  case c10::TypeKind::OptionalType:
    return count_of(*type.expectRef<c10::OptionalType>().getElementType());
  case c10::TypeKind::ScalarTypeType: return static_cast<std::int64_t>(c10::ScalarType::NumOptions);
  case c10::TypeKind::LayoutType: return static_cast<std::int64_t>(c10::Layout::NumOptions);
  case c10::TypeKind::MemoryFormatType:
    return static_cast<std::int64_t>(c10::MemoryFormat::NumOptions);
  default: return 0;
  }
}

std::vector<Enumeration> enumerations_of(const c10::FunctionSchema& schema) {
  std::vector<Enumeration> found;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i)
    if (const std::int64_t count = count_of(*schema.arguments()[i].real_type()); count != 0)
      found.push_back({i, count});
  return found;
}

void check_numbers(const Stack& stack, const std::vector<Enumeration>& enumerations,
                   std::size_t count) {
  for (const Enumeration& each : enumerations) {
    const c10::IValue& value = argument(stack, each.position, count);
    if (value.isInt() && (value.toInt() < 0 || value.toInt() >= each.count))
      throw std::out_of_range("there is no such dtype, layout or memory format");
  }
}

struct Check {
  void (*check)(const Stack&);
  std::string_view operators; ///< that it stands before: `aten::remainder.int`
};

constexpr std::array checks = {
    Check{check_division, "aten::remainder.int aten::remainder aten::floordiv.int aten::floordiv "
                          "aten::divmod.int aten::__round_to_zero_floordiv.int"},
    Check{check_common_divisor, "aten::gcd.int"},
    Check{check_types, "aten::promote_types aten::can_cast"},
    Check{check_width_of_three, "aten::ljust aten::rjust"},
    Check{check_width_of_two, "aten::zfill aten::expandtabs"},
    Check{check_center, "aten::center"},
    Check{check_pattern, "aten::count aten::replace"},
};

/// Operators on tensors that take for granted how their arguments fit each other.
constexpr std::array on_tensors = {
    Check{check_group_norm, "aten::native_group_norm"},
    Check{check_weight_norm, "aten::_weight_norm aten::_weight_norm_interface"},
    Check{check_layer,
          "aten::lstm.input aten::gru.input aten::rnn_tanh.input aten::rnn_relu.input"},
    Check{check_packed_layer,
          "aten::lstm.data aten::gru.data aten::rnn_tanh.data aten::rnn_relu.data"},
};

/// Operators not to fold: they make strings, take long, or have side effects.
constexpr Check not_folded{
    check_folding,
    "aten::add.str aten::__getitem__.str aten::slice.str aten::index.str aten::str aten::bin "
    "aten::oct aten::hex aten::chr aten::capitalize aten::title aten::lower aten::upper "
    "aten::swapcase aten::strip aten::lstrip aten::rstrip aten::partition aten::rpartition "
    "aten::center aten::ljust aten::rjust aten::zfill aten::expandtabs aten::replace aten::count "
    "aten::find aten::rfind aten::rindex prim::StringIndex aten::factorial.int aten::_print "
    "aten::set_grad_enabled aten::_cufft_clear_plan_cache aten::_cufft_set_plan_cache_max_size "
    "debug_mode_ops::annotate prim::id"};

/// Puts a check before an operator.
template <class Checking> void guard(torch::jit::Operator& op, Checking checking) {
  const c10::FunctionSchema& schema = op.schema();
  op = torch::jit::Operator(
      schema.name(), schema.overload_name(), schema.arguments(), schema.returns(),
      [original = op.getOperation(), checking](Stack& stack) mutable {
        checking(stack);
        original(stack);
      },
      op.aliasAnalysisKind());
}

void add_check(const Check& check) {
  for (std::string_view overload : words_in(check.operators)) {
    const auto name = c10::Symbol::fromQualString(std::string(take_before('.', overload)));
    for (const auto& op : torch::jit::getAllOperatorsFor(name))
      if (op->schema().overload_name() == overload && op->hasOperation()) guard(*op, check.check);
  }
}

} // namespace

void check_operators() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const Check& check : checks) add_check(check);
    add_check(not_folded);
  });
}

void check_arguments() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const Check& check : on_tensors) add_check(check);
    for (const auto& op : torch::jit::getAllOperators()) {
      if (!op->hasOperation()) continue;
      const auto enumerations = enumerations_of(op->schema());
      if (enumerations.empty()) continue;
      guard(*op, [enumerations, count = op->schema().arguments().size()](const Stack& stack) {
        check_numbers(stack, enumerations, count);
      });
    }
  });
}

void fill_new_memory() { FLAGS_caffe2_cpu_allocator_do_zero_fill = true; }

FoldNumbersOnly::FoldNumbersOnly() : outer_(numbers_only) { numbers_only = true; }
FoldNumbersOnly::~FoldNumbersOnly() { numbers_only = outer_; }

} // namespace model_validator::torchscript
