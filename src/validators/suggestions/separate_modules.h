#pragma once

#include "validators/suggestions/module_names.h"
#include "validators/suggestions/module_reuse.h"

#include <model_validator/connected_graph.h>

#include <string>

namespace model_validator {

/// How to give each call of a reused module a module of its own.
std::string separate_modules_help(const ConnectedGraph& graph, ModuleId module,
                                  const RepeatedCall& calls, ModuleNames& names);

} // namespace model_validator
