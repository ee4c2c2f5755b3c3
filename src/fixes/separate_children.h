#pragma once

#include "fixes/draft.h"
#include "fixes/planned_files.h"

#include <model_validator/diagnostic.h>

namespace model_validator::fixes {

/// A container that holds a module at several places, or a class that does under several names,
/// gets a copy for each.
/// @param obstacle  why there is none, where the class does not show what it puts there
Draft separate_children(const Rewrite& rewrite, const char* obstacle, Diagnostic& finding,
                        PlannedFiles& files);

} // namespace model_validator::fixes
