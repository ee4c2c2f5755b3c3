#include "text/places.h"

#include "text/escape.h"

namespace model_validator {
namespace {

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

DiagnosticLocation location_of(const ConnectedGraph& graph, FrameId frame, std::string role) {
  const FrameId shown = graph.user_frame(frame);
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
    text += (text.size() > 1 ? ", " : "") + escape(to_python(AttributeValue(name)));
  return text + "]";
}

} // namespace model_validator
