#include "connected_graph/torchscript/constant_evaluation.h"
#include "connected_graph/torchscript/walk.h"

#include <limits>

namespace model_validator::torchscript {
namespace {

const auto derive_index = c10::Symbol::fromQualString("aten::__derive_index");

} // namespace

/// Numbers that differ in every iteration of a loop, and comparisons that hold in one at most.
void Walk::note_counter(const torch::jit::Node& node, const Inputs& inputs, AbstractValue& result) {
  if (inputs.size() < 2) return;
  const RegionId loop = inputs[0]->counter_of_loop;
  const RegionId other = inputs[1]->counter_of_loop;
  const auto kind = node.kind();
  if (kind == c10::aten::eq || kind == c10::aten::ne)
    result.once_in_loop = loop == none ? other : other == none ? loop : none;
  const std::int64_t step = inputs.size() == 3 ? as_int(*inputs[2]).value_or(0) : 0;
  const bool shifted = (kind == c10::aten::add || kind == c10::aten::sub) && as_int(*inputs[1]);
  if (shifted || (kind == derive_index && step != 0)) result.counter_of_loop = loop;
  const auto offset = as_int(*inputs[1]);
  if (result.counter_of_loop == none || !inputs[0]->progression || !offset) return;
  const Progression& counter = *inputs[0]->progression;
  if (kind == derive_index)
    result.progression = counter.scaled(*offset, step);
  else if (kind == c10::aten::add || *offset != std::numeric_limits<std::int64_t>::min())
    result.progression = counter.scaled(kind == c10::aten::add ? *offset : -*offset, 1);
}

/// `not x` decides as `x` does, the other way round; `x is not y` as `x is y`, `!=` as `==`.
void Walk::negate(const torch::jit::Node& node, const Inputs& inputs, AbstractValue& result) {
  if (node.kind() == c10::aten::__not__) {
    result.number = inputs[0]->number;
    result.negated = !inputs[0]->negated;
    result.once_in_loop = inputs[0]->once_in_loop;
    for (const auto& [literal, value] : inputs[0]->alternatives) {
      const auto known = as_bool(*value);
      Abstract opposite = known ? make_known(!*known) : unknown(c10::BoolType::get());
      opposite->unreachable = value->unreachable;
      result.alternatives.emplace_back(literal, std::move(opposite));
    }
    return;
  }
  const bool unequal = node.kind() == c10::aten::ne;
  result.number = number_of(unequal ? c10::aten::eq : c10::aten::__is__, inputs);
  result.negated = true;
}

} // namespace model_validator::torchscript
