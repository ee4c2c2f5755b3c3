#pragma once

#include <model_validator/graph_builder.h>

#include <string>
#include <string_view>
#include <unordered_map>

namespace model_validator {

/// The modules of a graph by path, created with their parents as their paths turn up.
class ModuleHierarchy {
public:
  explicit ModuleHierarchy(GraphBuilder& graph) : graph_(graph) {}

  /// The module at a path, which may be an alias; fills in its class if that was unknown.
  ModuleId at(std::string_view path, std::string_view class_name = {});
  /// Sets for every module whether it is a leaf and belongs to torch.nn.
  void classify();

private:
  GraphBuilder& graph_;
  std::unordered_map<std::string, ModuleId> by_path_;
};

/// The part of a path before its last dot; empty if there is none.
std::string_view parent_path(std::string_view path);

} // namespace model_validator
