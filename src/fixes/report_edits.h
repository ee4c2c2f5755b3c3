#pragma once

#include "files/moved_sources.h"

#include <model_validator/diagnostic.h>

#include <vector>

namespace model_validator::fixes {

/// Adds edits to the findings that `fix` would fix here, and to the others the reason why not.
/// @param models  the findings of each; what is learned of the source serves all of them
/// @param roots  where source was when the models were exported, and where it is
void add_edits(const std::vector<std::vector<Diagnostic>*>& models, std::vector<SourceRoot> roots);

} // namespace model_validator::fixes
