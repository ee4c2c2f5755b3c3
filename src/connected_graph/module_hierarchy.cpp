#include "connected_graph/module_hierarchy.h"

#include "connected_graph/op_type.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator {
namespace {

// Every module holds its path, as do all enclosing modules.
constexpr std::size_t max_path_depth = 512;
constexpr std::size_t max_path_length = 16384;

void require_sensible(std::string_view path) {
  const auto depth = static_cast<std::size_t>(std::count(path.begin(), path.end(), '.'));
  if (depth <= max_path_depth && path.size() <= max_path_length) return;
  throw Error(ErrorKind::too_deep, "",
              "the modules are nested more than " + std::to_string(max_path_depth) +
                  " levels deep, or their paths are longer than " +
                  std::to_string(max_path_length) + " characters",
              "export a part of the model");
}

/// Classes of torch.nn that have child modules, even if a file shows none of them.
bool is_composite(std::string_view class_name) {
  constexpr std::string_view containers = "torch.nn.modules.container.";
  constexpr std::string_view transformers = "torch.nn.modules.transformer.";
  return class_name.starts_with(containers) || class_name.starts_with(transformers) ||
         (is_torch_nn(class_name) && class_name.ends_with(".MultiheadAttention"));
}

} // namespace

std::string_view parent_path(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
}

ModuleId ModuleHierarchy::at(std::string_view path, std::string_view class_name) {
  const auto found = by_path_.find(std::string(path));
  if (found != by_path_.end()) {
    Module& known = graph_.modules()[found->second];
    if (known.class_name.empty()) known.class_name = class_name;
    return found->second;
  }
  require_sensible(path);
  Module module;
  module.path = path;
  module.class_name = class_name;
  if (!path.empty()) module.parent = at(parent_path(path));
  const ModuleId id = graph_.add_module(std::move(module));
  by_path_.emplace(path, id);
  return id;
}

void ModuleHierarchy::classify() {
  std::vector<Module>& modules = graph_.modules();
  for (Module& module : modules) {
    module.leaf = !is_composite(module.class_name);
    module.torch_nn = is_torch_nn(module.class_name);
  }
  for (const Module& module : modules)
    if (module.parent != none) modules[module.parent].leaf = false;
}

} // namespace model_validator
