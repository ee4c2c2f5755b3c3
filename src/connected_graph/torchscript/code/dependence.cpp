#include "connected_graph/torchscript/code/dependence.h"

#include <utility>

namespace model_validator::torchscript {

void Dependence::add_edge(Node what, Node on, How how) {
  if (what == nothing || on == nothing || what == on) return;
  edges_.push_back({on, how, first_[what]});
  first_[what] = static_cast<std::uint32_t>(edges_.size() - 1);
}

Dependence::Reached Dependence::reached(std::span<const Node> from, Follow follow) const {
  Reached found{std::vector<bool>(first_.size()), std::vector<bool>(first_.size())};
  std::vector<std::pair<Node, bool>> open;
  const auto enter = [&](Node node, bool by_data) {
    if (node == nothing) return;
    std::vector<bool>& seen = by_data ? found.by_data : found.by_shape;
    if (seen[node]) return;
    seen[node] = true;
    open.emplace_back(node, by_data);
  };
  for (const Node node : from) enter(node, true);
  while (!open.empty()) {
    const auto [node, by_data] = open.back();
    open.pop_back();
    for (std::uint32_t at = first_[node]; at != none_; at = edges_[at].next)
      if (follow == Follow::all || edges_[at].how != How::decision)
        enter(edges_[at].on, by_data && edges_[at].how != How::shape);
  }
  return found;
}

} // namespace model_validator::torchscript
