#include "connected_graph/torchscript/code/loop_numbers.h"

#include <limits>

namespace model_validator::torchscript {
namespace {

const auto derive_index = c10::Symbol::fromQualString("aten::__derive_index");

/// The values of `start + step * value`; nullopt if they exceed 64 bits.
std::optional<Progression> scaled(const Progression& value, std::int64_t start, std::int64_t step) {
  Progression result = value;
  std::int64_t offset = 0;
  if (__builtin_mul_overflow(step, value.start, &offset) ||
      __builtin_add_overflow(start, offset, &result.start) ||
      __builtin_mul_overflow(step, value.step, &result.step) || result.step == 0)
    return std::nullopt;
  return result;
}

/// Whether the result is the counter, shifted or scaled.
bool stays_counter(const Node& node, const std::vector<Abstract>& inputs) {
  const auto kind = node.kind();
  if (kind == derive_index) return inputs.size() == 3 && as_int(*inputs[2]).value_or(0) != 0;
  return (kind == aten::add || kind == aten::sub) && as_int(*inputs[1]).has_value();
}

/// The numbers that a shifted or scaled counter takes.
std::optional<Progression> numbers_of(const Node& node, const std::vector<Abstract>& inputs) {
  const auto offset = as_int(*inputs[1]);
  if (!inputs[0]->progression || !offset) return std::nullopt;
  const Progression& counter = *inputs[0]->progression;
  if (node.kind() == derive_index) return scaled(counter, *offset, as_int(*inputs[2]).value_or(0));
  if (node.kind() == aten::add) return scaled(counter, *offset, 1);
  if (*offset == std::numeric_limits<std::int64_t>::min()) return std::nullopt; // has no negation
  return scaled(counter, -*offset, 1);
}

} // namespace

void note_counter(const Node& node, const std::vector<Abstract>& inputs, AbstractValue& result) {
  if (inputs.size() < 2) return;
  const RegionId loop = inputs[0]->counter_of_loop;
  const RegionId other = inputs[1]->counter_of_loop;
  if (node.kind() == aten::eq || node.kind() == aten::ne)
    result.once_in_loop = loop == none ? other : other == none ? loop : none;
  if (loop == none || !stays_counter(node, inputs)) return;
  result.counter_of_loop = loop;
  result.progression = numbers_of(node, inputs);
}

} // namespace model_validator::torchscript
