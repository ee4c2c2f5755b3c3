#include "connected_graph/torchscript/ir/collection_facts.h"

#include <ATen/core/interned_strings.h>

#include <algorithm>

namespace model_validator::torchscript {
namespace {

std::optional<std::int64_t> sum_of(const std::vector<std::int64_t>& list) {
  std::int64_t sum = 0;
  for (const std::int64_t number : list)
    if (__builtin_add_overflow(sum, number, &sum)) return std::nullopt;
  return sum;
}

} // namespace

bool equal_keys(const c10::IValue& a, const c10::IValue& b) {
  if (a.isString() && b.isString()) return a.toStringRef() == b.toStringRef();
  if (a.isDouble() && b.isDouble()) return a.toDouble() == b.toDouble();
  if (a.isBool() && b.isBool()) return a.toBool() == b.toBool();
  return a.isInt() && b.isInt() && a.toInt() == b.toInt();
}

std::optional<std::size_t> position_in(std::size_t size, std::int64_t index) {
  const auto count = static_cast<std::int64_t>(size);
  if (index < 0) index += count;
  if (index < 0 || index >= count) return std::nullopt;
  return static_cast<std::size_t>(index);
}

std::optional<std::int64_t> summary_of(const std::vector<std::int64_t>& list, c10::Symbol kind) {
  if (kind == c10::aten::sum) return sum_of(list);
  if (list.empty()) return std::nullopt;
  if (kind == c10::prim::min) return *std::min_element(list.begin(), list.end());
  if (kind == c10::prim::max) return *std::max_element(list.begin(), list.end());
  return std::nullopt;
}

} // namespace model_validator::torchscript
