#pragma once

#include <model_validator/validator.h>

#include <string>

namespace model_validator {

/// A finding about an op, with module, parent, op and location filled in; of `none`, without them.
Diagnostic finding_of(const ConnectedGraph& graph, OpId op, const Diagnostics& diagnostics,
                      std::string message);

/// A finding about a module, or one of its parameters, with its path and aliases filled in.
Diagnostic finding_of_module(const ConnectedGraph& graph, ModuleId module,
                             const Diagnostics& diagnostics, std::string message);

/// By parameter: the module that has it; `none` where none has.
std::vector<ModuleId> owners_of_parameters(const ConnectedGraph& graph);

} // namespace model_validator
