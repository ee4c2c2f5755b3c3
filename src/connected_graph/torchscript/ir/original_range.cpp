#include "connected_graph/torchscript/ir/original_range.h"

namespace model_validator::torchscript {

torch::jit::SourceRange original_range(const torch::jit::SourceRange& range) {
  if (!range.source()) return range;
  const auto original = range.source()->findSourceRangeThatGenerated(range);
  return original ? *original : range;
}

} // namespace model_validator::torchscript
