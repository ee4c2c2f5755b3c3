#pragma once

#include "report/drawing.h"

namespace model_validator {

/// Which modules a picture opens, and which ops it shows at all.
class OpenedModules {
public:
  OpenedModules(const ConnectedGraph& graph, const DrawingOptions& options);

  bool shows(OpId op) const { return shown_.at(op); }
  /// The outermost module around an op that is not opened; `none` where the op has its own box.
  ModuleId closed_module_around(OpId op) const;
  bool is_closed(ModuleId module) const { return depth_of_.at(module) >= depth_; }

  std::size_t depth() const noexcept { return depth_; }
  /// The depth at which every module is opened.
  std::size_t deepest() const noexcept { return deepest_; }
  /// How many ops are not shown.
  std::size_t left_out() const;

private:
  void choose_ops(bool queries);
  std::size_t container_depth(OpId op) const;
  std::size_t boxes_at(std::size_t depth) const;
  ModuleId ancestor_at(ModuleId module, std::size_t depth) const;

  const ConnectedGraph& graph_;
  std::vector<bool> shown_;
  std::vector<std::size_t> depth_of_; ///< of every module; the model itself has 0
  std::size_t deepest_ = 1;
  std::size_t depth_ = 1;
};

} // namespace model_validator
