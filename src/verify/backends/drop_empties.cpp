#include "verify/backends/drop_empties.h"

#include <ATen/core/jit_type.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace model_validator::verify {
namespace {

bool is_empty(const torch::jit::Value* value) {
  const auto type = value->type()->cast<c10::TensorType>();
  const auto elements = type ? type->numel() : std::nullopt;
  return elements && *elements == 0;
}

/// The dtype that a concatenation of them has; none where one of theirs is unknown.
std::optional<c10::ScalarType> common_dtype(c10::ArrayRef<torch::jit::Value*> tensors) {
  std::optional<c10::ScalarType> common;
  for (const auto* tensor : tensors) {
    const auto type = tensor->type()->cast<c10::TensorType>();
    const auto dtype = type ? type->scalarType() : std::nullopt;
    if (!dtype) return std::nullopt;
    common = common ? c10::promoteTypes(*common, *dtype) : *dtype;
  }
  return common;
}

void drop_empties_of(torch::jit::Node& concatenation) {
  auto* list = concatenation.input(0)->node();
  if (list->kind() != torch::jit::prim::ListConstruct) return;
  const auto all = list->inputs();
  std::vector<torch::jit::Value*> filled;
  std::remove_copy_if(all.begin(), all.end(), std::back_inserter(filled), is_empty);
  if (filled.empty() || filled.size() == all.size()) return;
  if (common_dtype(filled) != common_dtype(all)) return; // here their dtype matters
  auto* graph = concatenation.owningGraph();
  auto* shorter = graph->createList(c10::TensorType::get(), filled)->insertBefore(&concatenation);
  concatenation.replaceInput(0, shorter->output());
}

} // namespace

void drop_empties(torch::jit::Graph& graph) {
  for (auto* node : graph.nodes())
    if (node->kind() == torch::jit::aten::cat) drop_empties_of(*node);
}

} // namespace model_validator::verify
