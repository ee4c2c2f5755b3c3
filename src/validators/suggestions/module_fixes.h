#pragma once

#include "validators/suggestions/functional_modules.h"
#include "validators/suggestions/module_names.h"
#include "validators/suggestions/source_calls.h"

namespace model_validator {

/// How operations that run as functions get modules, with names that are free in the model.
class ModuleFixes {
public:
  explicit ModuleFixes(const ConnectedGraph& graph) : graph_(graph), names_(graph), calls_(graph) {}

  /// What a fix does where the op is called.
  Rewrite rewrite_of(OpId op, Rewrite::Kind kind);
  /// A call of the function becomes one of a module.
  Fix use_module(OpId op, const ModuleForOp& module);

private:
  const ConnectedGraph& graph_;
  ModuleNames names_;
  SourceCalls calls_;
};

} // namespace model_validator
