#include "validators/places.h"

#include <array>
#include <string_view>

namespace model_validator {
namespace {

/// Whether the file is part of torch itself, told by the folders that only torch has.
bool inside_torch(const std::string& file) {
  constexpr std::array parts = {"torch/nn/",        "torch/ao/",          "torch/functional.py",
                                "torch/_tensor.py", "torch/overrides.py", "torch/_jit_internal.py",
                                "torch/jit/",       "torch/utils/"};
  for (const std::string_view part : parts) {
    const auto at = file.find(part);
    if (at != std::string::npos && (at == 0 || file[at - 1] == '/')) return true;
  }
  return false;
}

/// ` (ReLU)`, to follow a module's path.
std::string class_in_brackets(const Module& module) {
  return module.class_name.empty() ? "" : " (" + short_class(module.class_name) + ")";
}

} // namespace

std::string place(const SourceLocation& location) {
  if (!location.known()) return {};
  std::string text = location.file + ':' + std::to_string(location.line);
  if (location.column > 0) text += ':' + std::to_string(location.column);
  return text;
}

FrameId user_frame(const ConnectedGraph& graph, FrameId frame) {
  FrameId innermost_known = none;
  for (const FrameId id : graph.call_chain(frame)) {
    const SourceLocation& location = graph.location(id);
    if (!location.known()) continue;
    if (!inside_torch(location.file)) return id;
    if (innermost_known == none) innermost_known = id;
  }
  return innermost_known == none ? frame : innermost_known;
}

DiagnosticLocation location_of(const ConnectedGraph& graph, FrameId frame, std::string role) {
  const FrameId shown = user_frame(graph, frame);
  DiagnosticLocation location;
  location.source = graph.location(shown);
  location.role = std::move(role);
  if (shown != none) location.module = graph.module_path(graph.frames().at(shown).module);
  return location;
}

std::string short_class(const std::string& class_name) {
  const auto dot = class_name.rfind('.');
  return dot == std::string::npos ? class_name : class_name.substr(dot + 1);
}

std::string spoken_module(const Module& module, const std::string& noun) {
  const std::string name =
      module.path.empty() ? "the model itself" : noun + '`' + module.path + '`';
  return name + class_in_brackets(module);
}

std::string python_list(const std::vector<std::string>& names) {
  std::string text = "[";
  for (const std::string& name : names)
    text += (text.size() > 1 ? ", " : "") + to_python(AttributeValue(name));
  return text + "]";
}

} // namespace model_validator
