#include "connected_graph/onnx/node_origin.h"

#include "connected_graph/module_depth.h"

#include <algorithm>

namespace model_validator::onnx_format {
namespace {

const std::string* property(const ::onnx::NodeProto& node, std::string_view key) {
  for (const auto& entry : node.metadata_props())
    if (entry.key() == key) return &entry.value();
  return nullptr;
}

/// `aten.add.Tensor` as a schema, `aten::add.Tensor`.
std::string schema_of_target(const std::string& target) {
  const auto dot = target.find('.');
  const bool is_operator = dot != std::string::npos && target.find('<') == std::string::npos;
  if (!is_operator) return {};
  std::string schema = target.substr(0, dot) + "::" + target.substr(dot + 1);
  constexpr std::string_view default_overload = ".default";
  if (schema.ends_with(default_overload)) schema.resize(schema.size() - default_overload.size());
  return schema;
}

NodeOrigin origin_of_metadata(const std::string& scopes, const std::string& classes) {
  const auto names = parse_python_strings(scopes);
  const auto targets = parse_python_strings(classes);
  NodeOrigin origin;
  if (names.empty() || names.size() != targets.size() || names.size() > max_module_depth)
    return origin;
  if (std::any_of(names.begin(), names.end(), is_nested_too_deeply)) return origin;
  for (std::size_t i = 0; i + 1 < names.size(); ++i)
    origin.modules.emplace_back(names[i], targets[i]);
  origin.operation = names.back();
  origin.schema = schema_of_target(targets.back());
  origin.has_classes = !origin.modules.empty();
  return origin;
}

} // namespace

std::vector<std::string> parse_python_strings(std::string_view text) {
  std::vector<std::string> strings;
  std::size_t at = 0;
  while ((at = text.find_first_of("'\"", at)) != std::string_view::npos) {
    const char quote = text[at++];
    std::string value;
    for (; at < text.size() && text[at] != quote; ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      value += text[at];
    }
    strings.push_back(std::move(value));
    ++at;
  }
  return strings;
}

std::vector<std::string> scope_paths(std::string_view name) {
  const auto levels = static_cast<std::size_t>(std::count(name.begin(), name.end(), '/'));
  if (!name.starts_with('/') || levels > max_module_depth) return {};
  std::vector<std::string> paths{""};
  std::string base;
  std::string previous;
  name.remove_prefix(1);
  for (auto slash = name.find('/'); slash != std::string_view::npos; slash = name.find('/')) {
    std::string segment(name.substr(0, slash));
    name.remove_prefix(slash + 1);
    // A container's child repeats the container's name: `layer1/layer1.0`.
    const bool repeats = !previous.empty() && segment.starts_with(previous + ".");
    if (!repeats) base = paths.back();
    paths.push_back(base.empty() ? segment : base + "." + segment);
    previous = std::move(segment);
  }
  return paths;
}

NodeOrigin origin_of(const ::onnx::NodeProto& node) {
  NodeOrigin origin;
  const std::string* scopes = property(node, "pkg.torch.onnx.name_scopes");
  const std::string* classes = property(node, "pkg.torch.onnx.class_hierarchy");
  if (scopes != nullptr && classes != nullptr) origin = origin_of_metadata(*scopes, *classes);
  if (const std::string* trace = property(node, "pkg.torch.onnx.stack_trace"))
    origin.trace = parse_python_trace(*trace);
  if (!origin.known())
    for (std::string& path : scope_paths(node.name())) origin.modules.emplace_back(path, "");
  return origin;
}

} // namespace model_validator::onnx_format
