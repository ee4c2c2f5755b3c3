#include "connected_graph/torchscript/code/operator_description.h"
#include "connected_graph/torchscript/code/static_types.h"
#include "connected_graph/torchscript/ir/operator_effects.h"
#include "partition/torchscript/program.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <array>

namespace model_validator::partition {
namespace {

/// Whether a subgraph can take and return a value of this type.
bool can_cross(const c10::TypePtr& type) {
  constexpr std::array holding{c10::TypeKind::ListType, c10::TypeKind::OptionalType,
                               c10::TypeKind::TupleType, c10::TypeKind::DictType};
  if (torchscript::is_plain(*type) || type->kind() == c10::TypeKind::TensorType) return true;
  if (!contains(holding, type->kind())) return false;
  const auto inner = type->containedTypes();
  return std::all_of(inner.begin(), inner.end(), can_cross);
}

bool builds_or_takes_apart(const Node& node) {
  return torchscript::builds(node) || torchscript::picks(node);
}

bool anywhere(const Node& node, bool (*holds)(const Node&)) {
  if (holds(node)) return true;
  for (const Block* block : node.blocks())
    for (const Node* inner : block->nodes())
      if (anywhere(*inner, holds)) return true;
  return false;
}

bool order_counts(const Node& node) {
  if (node.kind() == prim::RaiseException) return false;
  return node.isNondeterministic() || (node.blocks().empty() && node.hasSideEffects());
}

bool only_numbers_read(const Units& units, const Unit& unit, const std::vector<bool>& queries) {
  bool any = false;
  for (const Value* read : unit.reads) {
    if (!torchscript::holds_tensor(read->type())) continue;
    if (const auto constant = torch::jit::toIValue(read);
        constant && constant->isTensor() && constant->toTensor().dim() == 0)
      continue;
    const std::size_t maker = units.maker(read);
    if (maker == none || !queries[maker]) return false;
    any = true;
  }
  return any;
}

} // namespace

std::vector<bool> query_units(const Units& units) {
  std::vector<bool> queries;
  for (const Unit& unit : units.all()) {
    const Node& node = *unit.node;
    const auto outputs = node.outputs();
    const bool tensors = std::any_of(outputs.begin(), outputs.end(), [](const Value* value) {
      return torchscript::holds_tensor(value->type());
    });
    bool query = !outputs.empty() && !tensors && node.blocks().empty();
    query = query || builds_or_takes_apart(node) || node.kind() == prim::NumToTensor;
    query = query || (node.blocks().empty() && torchscript::keeps_numbers(node) &&
                      only_numbers_read(units, unit, queries));
    queries.push_back(query && !torchscript::writes(node));
  }
  return queries;
}

std::vector<std::vector<std::size_t>> bound_units(const Units& units) {
  std::vector<std::vector<std::size_t>> groups;
  const std::vector<bool> queries = query_units(units);
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Node& node = *units[i].node;
    for (const Value* made : node.outputs()) {
      if (can_cross(made->type())) continue;
      std::vector<std::size_t> group = units.readers(made);
      group.push_back(i);
      groups.push_back(std::move(group));
    }
    // So that tensors cross, not the lists that hold them.
    if (builds_or_takes_apart(node) && !node.inputs().empty() &&
        node.input(0)->type()->kind() != c10::TypeKind::TensorType)
      if (const std::size_t maker = units.maker(node.input(0)); maker != none && !queries[maker])
        groups.push_back({maker, i});
  }
  return groups;
}

std::vector<std::pair<std::size_t, std::size_t>> ordered_units(const Units& units) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t last = none;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (!anywhere(*units[i].node, order_counts)) continue;
    if (last != none) pairs.emplace_back(last, i);
    last = i;
  }
  return pairs;
}

} // namespace model_validator::partition
