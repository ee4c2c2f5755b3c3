#include "report/opened_modules.h"

#include <algorithm>
#include <set>

namespace model_validator {
namespace {

/// With more boxes than that, a picture is unreadable.
constexpr std::size_t readable_boxes = 150;

} // namespace

OpenedModules::OpenedModules(const ConnectedGraph& graph, const DrawingOptions& options)
    : graph_(graph), shown_(graph.op_count(), true), depth_of_(graph.modules().size(), 0) {
  for (ModuleId id = 0; id < graph.modules().size(); ++id)
    for (ModuleId m = graph.module(id).parent; m != none; m = graph.module(m).parent)
      ++depth_of_[id];
  choose_ops(options.queries);
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (shown_[id]) deepest_ = std::max(deepest_, container_depth(id) + 1);
  if (options.depth) {
    depth_ = std::clamp<std::size_t>(*options.depth, 1, deepest_);
    return;
  }
  depth_ = deepest_;
  while (depth_ > 1 && boxes_at(depth_) > readable_boxes) --depth_;
}

/// Queries compute no data of the model; a constant is worth a box where something else uses it.
void OpenedModules::choose_ops(bool queries) {
  if (queries) return;
  for (OpId id = 0; id < graph_.op_count(); ++id) shown_[id] = graph_.op(id).kind != OpKind::query;
  for (OpId id = 0; id < graph_.op_count(); ++id) {
    if (graph_.op(id).kind != OpKind::constant) continue;
    const auto uses = boost::make_iterator_range(boost::out_edges(id, graph_.graph()));
    shown_[id] = std::any_of(uses.begin(), uses.end(), [&](const auto& edge) {
      return shown_[boost::target(edge, graph_.graph())];
    });
  }
}

std::size_t OpenedModules::container_depth(OpId op) const {
  const ModuleId parent = graph_.op(op).parent;
  return parent == none ? 0 : depth_of_[parent];
}

ModuleId OpenedModules::ancestor_at(ModuleId module, std::size_t depth) const {
  while (depth_of_[module] > depth) module = graph_.module(module).parent;
  return module;
}

ModuleId OpenedModules::closed_module_around(OpId op) const {
  if (container_depth(op) < depth_) return none;
  return ancestor_at(graph_.op(op).parent, depth_);
}

std::size_t OpenedModules::boxes_at(std::size_t depth) const {
  std::set<ModuleId> closed;
  std::size_t boxes = 0;
  for (OpId id = 0; id < graph_.op_count(); ++id) {
    if (!shown_[id]) continue;
    if (container_depth(id) < depth)
      ++boxes;
    else
      closed.insert(ancestor_at(graph_.op(id).parent, depth));
  }
  return boxes + closed.size();
}

std::size_t OpenedModules::left_out() const {
  return static_cast<std::size_t>(std::count(shown_.begin(), shown_.end(), false));
}

} // namespace model_validator
