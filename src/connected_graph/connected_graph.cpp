#include "connected_graph/torch_sources.h"

#include <model_validator/connected_graph.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace model_validator {

const char* to_string(OpKind kind) {
  switch (kind) {
  case OpKind::module: return "module";
  case OpKind::functional: return "functional";
  case OpKind::query: return "query";
  case OpKind::control_flow: return "control_flow";
  case OpKind::input: return "input";
  case OpKind::output: return "output";
  case OpKind::constant: return "constant";
  }
  return "unknown";
}

std::string Region::label() const {
  switch (kind) {
  case Kind::then_arm: return "if@" + std::to_string(number) + ".then";
  case Kind::else_arm: return "if@" + std::to_string(number) + ".else";
  case Kind::loop_body: return "loop@" + std::to_string(number);
  }
  return {};
}

const SourceLocation& ConnectedGraph::location(FrameId frame) const {
  static const SourceLocation unknown;
  return frame == none ? unknown : frames_.at(frame).location;
}

std::vector<FrameId> ConnectedGraph::call_chain(FrameId frame) const {
  std::vector<FrameId> chain;
  for (; frame != none; frame = frames_.at(frame).caller) chain.push_back(frame);
  return chain;
}

bool is_inside_torch(const std::string& file) {
  static constexpr auto folders = std::to_array<std::string_view>(
      {"torch/nn/", "torch/functional.py", "torch/_tensor.py", "torch/jit/",
       "torch/_jit_internal.py", "torch/ao/", "torch/utils/", "torch/overrides.py",
       "torch/autograd/", "torch/_ops.py"});
  return std::any_of(folders.begin(), folders.end(), [&](std::string_view folder) {
    const auto at = file.rfind(folder);
    return at == 0 || (at != std::string::npos && file[at - 1] == '/');
  });
}

FrameId ConnectedGraph::user_frame(FrameId frame) const {
  FrameId innermost_known = none;
  for (FrameId f = frame; f != none; f = frames_.at(f).caller) {
    if (!frames_.at(f).location.known()) continue;
    if (!is_inside_torch(frames_.at(f).location.file)) return f;
    if (innermost_known == none) innermost_known = f;
  }
  return innermost_known == none ? frame : innermost_known;
}

std::vector<std::string> ConnectedGraph::region_labels(RegionId region) const {
  std::vector<std::string> labels;
  for (; region != none; region = regions_.at(region).parent)
    labels.push_back(regions_.at(region).label());
  std::reverse(labels.begin(), labels.end());
  return labels;
}

const std::string* ConnectedGraph::source_line(const std::string& file, int line) const {
  const auto found = source_lines_.find({file, line});
  return found == source_lines_.end() ? nullptr : &found->second;
}

const std::string& ConnectedGraph::module_path(ModuleId id) const {
  static const std::string root;
  return id == none ? root : modules_.at(id).path;
}

} // namespace model_validator
