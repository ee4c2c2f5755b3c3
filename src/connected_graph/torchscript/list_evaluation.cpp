#include "connected_graph/torchscript/list_evaluation.h"

#include "connected_graph/torchscript/ir/collection_facts.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace model_validator::torchscript {
namespace {

/// The integers, or booleans, if all are known.
std::optional<std::vector<std::int64_t>> numbers_of(const Items& items, bool booleans) {
  if (!items.exact || items.dict) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Abstract& item : items.values)
    if (const auto number = as_int(*item))
      numbers.push_back(*number);
    else if (const auto boolean = as_bool(*item); boolean && booleans)
      numbers.push_back(*boolean ? 1 : 0);
    else
      return std::nullopt;
  return numbers;
}

/// `any` or `all` of a known list.
std::optional<c10::IValue> quantify(const torch::jit::Node& node, const Items& items) {
  const auto numbers = numbers_of(items, true);
  if (!numbers) return std::nullopt;
  const auto zeros = std::count(numbers->begin(), numbers->end(), 0);
  const auto count = static_cast<std::ptrdiff_t>(numbers->size());
  return c10::IValue(node.kind() == c10::aten::any ? zeros < count : zeros == 0);
}

} // namespace

std::optional<c10::IValue> evaluate_list(const torch::jit::Node& node, const Items& items) {
  switch (node.kind()) {
  case c10::aten::any:
  case c10::aten::all: return quantify(node, items);
  case c10::aten::sum:
  case c10::prim::min:
  case c10::prim::max: {
    const auto numbers = numbers_of(items, false);
    const auto summary = numbers ? summary_of(*numbers, node.kind()) : std::nullopt;
    return summary ? std::optional<c10::IValue>(*summary) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

} // namespace model_validator::torchscript
