#pragma once

#include "fixes/draft.h"
#include "fixes/planned_files.h"

#include <model_validator/diagnostic.h>

namespace model_validator::fixes {

/// A container that holds a module at several places gets a copy at each.
/// @throws Refusal where the class that calls the container does not show what it puts there
Draft separate_children(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files);

} // namespace model_validator::fixes
