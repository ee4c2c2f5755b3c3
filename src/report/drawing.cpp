#include "report/drawing.h"

#include "connected_graph/shapes/symbolic_shapes.h"
#include "report/finding_table.h"
#include "text/plural.h"

#include <algorithm>
#include <map>
#include <set>

namespace model_validator {
namespace {

/// `1×64×56×56`
std::string shape_text(const TensorType& type) {
  if (!type.shape) return {};
  std::string text;
  for (const std::int64_t size : *type.shape)
    text += (text.empty() ? "" : "×") + (size < 0 ? "?" : std::to_string(size));
  return text.empty() ? "scalar" : text;
}

/// The rest of a path below another: `relu` of `layer1.0.relu` below `layer1.0`.
std::string below(const std::string& path, const std::string& outer) {
  const bool inside = !outer.empty() && path.starts_with(outer + ".");
  return inside ? path.substr(outer.size() + 1) : path;
}

std::string class_word(const std::string& class_name) {
  return class_name.substr(class_name.rfind('.') + 1);
}

/// The parts that are not empty.
std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() || part.empty() ? "" : separator) + part;
  return text;
}

/// With more boxes than that, a picture is unreadable.
constexpr std::size_t readable_boxes = 150;

/// Which modules a picture opens, and which ops it shows at all.
class OpenedModules {
public:
  OpenedModules(const ConnectedGraph& graph, const DrawingOptions& options)
      : graph_(graph), shown_(graph.op_count(), true), depth_of_(graph.modules().size(), 0) {
    for (ModuleId id = 0; id < graph.modules().size(); ++id)
      for (ModuleId m = graph.module(id).parent; m != none; m = graph.module(m).parent)
        ++depth_of_[id];
    if (!options.queries) leave_out_queries();
    for (OpId id = 0; id < graph.op_count(); ++id)
      if (shown_[id]) deepest_ = std::max(deepest_, container_depth(id) + 1);
    if (options.depth) {
      depth_ = std::clamp<std::size_t>(*options.depth, 1, deepest_);
      return;
    }
    depth_ = deepest_;
    while (depth_ > 1 && boxes_at(depth_) > readable_boxes) --depth_;
  }

  bool shows(OpId op) const { return shown_.at(op); }
  /// The outermost module around an op that is not opened; `none` where the op has its own box.
  ModuleId closed_module_around(OpId op) const {
    return container_depth(op) < depth_ ? none : ancestor_at(graph_.op(op).parent, depth_);
  }
  bool is_closed(ModuleId module) const { return depth_of_.at(module) >= depth_; }
  std::size_t depth() const noexcept { return depth_; }
  /// The depth at which every module is opened.
  std::size_t deepest() const noexcept { return deepest_; }
  /// How many ops are not shown.
  std::size_t left_out() const {
    return static_cast<std::size_t>(std::ranges::count(shown_, false));
  }

private:
  /// Queries compute no data of the model; a constant is worth a box where something else uses it.
  void leave_out_queries() {
    for (OpId id = 0; id < graph_.op_count(); ++id)
      shown_[id] = graph_.op(id).kind != OpKind::query;
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      if (graph_.op(id).kind != OpKind::constant) continue;
      const auto uses = boost::make_iterator_range(boost::out_edges(id, graph_.graph()));
      shown_[id] = std::ranges::any_of(
          uses, [&](const auto& edge) { return shown_[boost::target(edge, graph_.graph())]; });
    }
  }

  std::size_t container_depth(OpId op) const {
    const ModuleId parent = graph_.op(op).parent;
    return parent == none ? 0 : depth_of_[parent];
  }

  ModuleId ancestor_at(ModuleId module, std::size_t depth) const {
    while (depth_of_[module] > depth) module = graph_.module(module).parent;
    return module;
  }

  std::size_t boxes_at(std::size_t depth) const {
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

  const ConnectedGraph& graph_;
  std::vector<bool> shown_;
  std::vector<std::size_t> depth_of_; ///< of every module; the model itself has 0
  std::size_t deepest_ = 1;
  std::size_t depth_ = 1;
};

class GraphLayout {
public:
  GraphLayout(const ConnectedGraph& graph, const std::vector<Diagnostic>& findings,
              const DrawingOptions& options)
      : graph_(graph), findings_(findings), opened_(graph, options),
        frame_of_(graph.modules().size(), none), box_of_op_(graph.op_count(), none) {}

  Drawing draw() {
    for (OpId id = 0; id < graph_.op_count(); ++id) place(id);
    count_what_boxes_hold();
    add_arrows();
    write_title();
    return std::move(drawing_);
  }

private:
  using Box = Drawing::Box;

  void place(OpId id) {
    if (!opened_.shows(id)) return;
    const ModuleId closed = opened_.closed_module_around(id);
    box_of_op_[id] = closed == none ? add_op(id) : box_of_module(closed);
    if (closed != none) contents_[box_of_op_[id]].insert(id);
  }

  std::size_t add_op(OpId id) {
    const Op& op = graph_.op(id);
    Box box;
    box.id = op.name;
    box.kind = op.kind;
    box.conditional = op.region != none;
    box.frame = frame_of(op.parent);
    box.lines = lines_of(id);
    const auto found = findings_.of(graph_, op);
    box.severity = FindingTable::max_severity(found);
    box.tooltip = joined(
        {op.name, op.schema, place_text(graph_.user_frame(op.frame)), findings_.messages(found)},
        "\n");
    return add(std::move(box));
  }

  /// Names of sizes say more than that they are unknown.
  std::string shape_of_first(OpId id) const {
    auto sizes = size_names(graph_, id, 0);
    if (!sizes) return shape_text(graph_.op(id).outputs[0]);
    for (std::string& size : *sizes)
      if (size.find(' ') != size.npos) size = "(" + size + ")";
    return sizes->empty() ? "scalar" : joined(*sizes, "×");
  }

  std::vector<std::string> lines_of(OpId id) const {
    const Op& op = graph_.op(id);
    std::vector<std::string> lines;
    if (op.module != none) {
      if (const std::string& path = graph_.module_path(op.module); !path.empty())
        lines.push_back(below(path, graph_.module_path(op.parent)));
      lines.push_back(class_word(graph_.module(op.module).class_name));
    } else {
      lines.push_back(op.kind == OpKind::output || op.kind == OpKind::input ? op.name : op.type);
    }
    for (const std::string& label : graph_.region_labels(op.region)) lines.push_back(label);
    const bool one = op.outputs.size() == 1;
    if (one && op.outputs[0].shape) lines.push_back(shape_of_first(id));
    return lines;
  }

  std::size_t box_of_module(ModuleId id) {
    const auto known = box_of_module_.find(id);
    if (known != box_of_module_.end()) return known->second;
    const Module& module = graph_.module(id);
    Box box;
    box.id = module.path;
    box.kind = OpKind::module;
    box.collapsed = true;
    box.frame = frame_of(module.parent);
    box.lines = {below(module.path, graph_.module_path(module.parent)),
                 class_word(module.class_name)};
    box.tooltip = joined({module.path, module.class_name}, "\n");
    return box_of_module_[id] = add(std::move(box));
  }

  std::size_t add(Box box) {
    drawing_.boxes.push_back(std::move(box));
    return drawing_.boxes.size() - 1;
  }

  std::size_t frame_of(ModuleId id) {
    if (id == none || graph_.module(id).path.empty()) return none;
    if (frame_of_[id] != none) return frame_of_[id];
    const Module& module = graph_.module(id);
    const std::size_t parent = frame_of(module.parent);
    const auto found = findings_.of_module(module.path);
    Drawing::Frame frame;
    frame.parent = parent;
    frame.label = below(module.path, graph_.module_path(module.parent));
    if (!module.class_name.empty()) frame.label += "  " + class_word(module.class_name);
    if (module.calls > 1) frame.label += "  called " + std::to_string(module.calls) + " times";
    frame.severity = FindingTable::max_severity(found);
    frame.tooltip = joined({module.path, module.class_name, findings_.messages(found)}, "\n");
    drawing_.frames.push_back(std::move(frame));
    return frame_of_[id] = drawing_.frames.size() - 1;
  }

  /// A module that is not opened stands for everything in it.
  void count_what_boxes_hold() {
    for (const auto& [index, ops] : contents_) {
      FindingTable::Entries found;
      for (const OpId id : ops) {
        found.merge(findings_.of(graph_, graph_.op(id)));
        for (ModuleId m = graph_.op(id).parent; m != none && opened_.is_closed(m);
             m = graph_.module(m).parent)
          found.merge(findings_.of_module(graph_.module_path(m)));
      }
      Box& box = drawing_.boxes[index];
      box.severity = FindingTable::max_severity(found);
      box.lines.push_back(plural(ops.size(), "op"));
      if (!found.empty()) box.lines.push_back(plural(FindingTable::count(found), "finding"));
      box.tooltip = joined({box.tooltip, findings_.messages(found)}, "\n");
    }
  }

  void add_arrows() {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
    for (const auto edge : boost::make_iterator_range(boost::edges(graph_.graph()))) {
      const std::size_t from = box_of_op_[boost::source(edge, graph_.graph())];
      const std::size_t to = box_of_op_[boost::target(edge, graph_.graph())];
      if (from == none || to == none || (from == to && drawing_.boxes[from].collapsed)) continue;
      const auto [entry, inserted] = known.try_emplace({from, to}, drawing_.arrows.size());
      if (inserted)
        drawing_.arrows.push_back({from, to, 1});
      else
        ++drawing_.arrows[entry->second].products;
    }
  }

  void write_title() {
    std::string ops = plural(graph_.op_count(), "op");
    if (opened_.left_out() > 0)
      ops += ", " + std::to_string(opened_.left_out()) + " of them for sizes and lists: not shown";
    std::string depth;
    if (opened_.depth() < opened_.deepest())
      depth = "modules below level " + std::to_string(opened_.depth()) + " of " +
              std::to_string(opened_.deepest()) + " are closed";
    drawing_.title = joined({graph_.origin.path, ops, depth, findings_.summary()}, "\n");
  }

  std::string place_text(FrameId frame) const {
    const SourceLocation& source = graph_.location(frame);
    return source.known() ? source.file + ":" + std::to_string(source.line) : "";
  }

  const ConnectedGraph& graph_;
  FindingTable findings_;
  OpenedModules opened_;
  Drawing drawing_;
  std::vector<std::size_t> frame_of_;
  std::vector<std::size_t> box_of_op_;
  std::map<ModuleId, std::size_t> box_of_module_;
  std::map<std::size_t, std::set<OpId>> contents_;
};

} // namespace

Drawing draw(const ConnectedGraph& graph, const std::vector<Diagnostic>& findings,
             const DrawingOptions& options) {
  return GraphLayout(graph, findings, options).draw();
}

} // namespace model_validator
