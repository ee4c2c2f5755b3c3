#include "rules/judging/node_place.h"

#include "rules/judging/operator_name.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <string_view>

namespace model_validator::rules {

namespace {

bool yields_one_of(const ProgramNode& node, const std::vector<bool>& values) {
  return std::ranges::any_of(node.outputs,
                             [&](ValueId each) { return each != none && values[each]; });
}

bool reads_known_sizes_alone(NodeView node) {
  const ProgramValue* operand = bare_operator(node->schema) == "Shape" ? node.input(0) : nullptr;
  return operand != nullptr && operand->type.shape && !contains(*operand->type.shape, -1);
}

/// By value, whether an output of the model follows from it. The nodes of a body come before their
/// operator, which reads what they yield.
/// @param reads_nothing  whether a node needs none of its operands
template <class ReadsNothing>
std::vector<bool> needed_in(const Program& program, ReadsNothing reads_nothing) {
  std::vector<bool> needed(program.values.size(), false);
  for (const auto& [name, value] : program.outputs)
    if (value != none) needed[value] = true;
  const auto nodes = all_nodes(program);
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
    if (yields_one_of(**node, needed) && !reads_nothing(*node))
      for (const ValueId input : (*node)->inputs)
        if (input != none) needed[input] = true;
  return needed;
}

} // namespace

NodePlaces::NodePlaces(const Program& program, const std::vector<Region>& regions)
    : regions_(regions), needed_(needed_in(program, [](NodeView) { return false; })),
      computed_(needed_in(program, reads_known_sizes_alone)) {
  for (const ProgramNode& node : program.nodes)
    if (const ProgramValue* condition = program.input(node, 0);
        node.owned_regions.size() == 2 && condition != nullptr && condition->stored() &&
        condition->number)
      unchosen_.insert(node.owned_regions[*condition->number != 0 ? 1 : 0]);
  for (const NodeView node : all_nodes(program)) {
    const char* place = of(node);
    const auto [known, is_new] = of_ops_.emplace(node->op, place);
    if (!is_new && std::string_view(known->second) != place) known->second = "";
    if (runs(node)) run_.insert(node->op);
  }
}

const char* NodePlaces::of(NodeView node) const {
  if (!yields_one_of(*node, needed_)) return "dead";
  return is_chosen(node->region) ? "" : "unchosen";
}

bool NodePlaces::runs(NodeView node) const {
  return is_chosen(node->region) && yields_one_of(*node, computed_);
}

bool NodePlaces::runs(OpId op) const { return run_.contains(op) || !of_ops_.contains(op); }

const char* NodePlaces::of(OpId op) const {
  const auto found = of_ops_.find(op);
  return found == of_ops_.end() ? "" : found->second;
}

bool NodePlaces::is_chosen(RegionId region) const {
  for (; region != none; region = regions_[region].parent)
    if (unchosen_.contains(region)) return false;
  return true;
}

} // namespace model_validator::rules
