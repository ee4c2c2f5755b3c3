#pragma once

#include "lint/settings.h"

#include <model_validator/connected_graph.h>
#include <model_validator/diagnostic.h>

#include <memory>
#include <string>
#include <vector>

namespace model_validator {

/// The settings that `check` would use for a model. Reads its configuration.
std::shared_ptr<const Settings> settings_for_graph(const std::string& model);

/// What `check` finds in a graph with them.
std::vector<Diagnostic> findings_in(const ConnectedGraph& graph,
                                    const std::shared_ptr<const Settings>& settings);

} // namespace model_validator
