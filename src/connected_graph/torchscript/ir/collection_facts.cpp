#include "connected_graph/torchscript/ir/collection_facts.h"

namespace model_validator::torchscript {

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

} // namespace model_validator::torchscript
