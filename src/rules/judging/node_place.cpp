#include "rules/judging/node_place.h"

#include <algorithm>
#include <string_view>

namespace model_validator::rules {

NodePlaces::NodePlaces(const Program& program, const std::vector<Region>& regions)
    : regions_(regions), needed_(program.values.size(), false) {
  find_needed(program);
  for (const ProgramNode& node : program.nodes)
    if (const ProgramValue* condition = program.input(node, 0);
        node.owned_regions.size() == 2 && condition != nullptr && condition->stored() &&
        condition->number)
      unchosen_.insert(node.owned_regions[*condition->number != 0 ? 1 : 0]);
  for (const NodeView node : all_nodes(program)) {
    const char* place = of(node);
    const auto [known, is_new] = of_ops_.emplace(node->op, place);
    if (!is_new && std::string_view(known->second) != place) known->second = "";
  }
}

const char* NodePlaces::of(NodeView node) const {
  if (!is_needed(*node)) return "dead";
  return is_chosen(node->region) ? "" : "unchosen";
}

const char* NodePlaces::of(OpId op) const {
  const auto found = of_ops_.find(op);
  return found == of_ops_.end() ? "" : found->second;
}

/// The nodes of a body come before their operator, which reads what they yield.
void NodePlaces::find_needed(const Program& program) {
  for (const auto& [name, value] : program.outputs)
    if (value != none) needed_[value] = true;
  const auto nodes = all_nodes(program);
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
    if (is_needed(**node))
      for (const ValueId input : (*node)->inputs)
        if (input != none) needed_[input] = true;
}

bool NodePlaces::is_needed(const ProgramNode& node) const {
  return std::ranges::any_of(node.outputs,
                             [&](ValueId each) { return each != none && needed_[each]; });
}

bool NodePlaces::is_chosen(RegionId region) const {
  for (; region != none; region = regions_[region].parent)
    if (unchosen_.contains(region)) return false;
  return true;
}

} // namespace model_validator::rules
