#pragma once

#include <model_validator/graph_builder.h>

#include <string>
#include <string_view>
#include <unordered_map>

namespace model_validator {

/// The modules of a graph by path, made as their paths turn up, always with their parents.
class ModuleHierarchy {
public:
  explicit ModuleHierarchy(GraphBuilder& graph) : graph_(graph) {}

  /// The module at a path, whichever alias it is; its class is filled in when it was not known.
  ModuleId at(std::string_view path, std::string_view class_name = {});
  /// Says of every module whether it is a leaf and one of torch.nn.
  void classify();

private:
  GraphBuilder& graph_;
  std::unordered_map<std::string, ModuleId> by_path_;
};

/// The part of a path before its last dot; empty where there is none.
std::string_view parent_path(std::string_view path);

} // namespace model_validator
