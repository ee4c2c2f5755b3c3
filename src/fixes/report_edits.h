#pragma once

#include <model_validator/diagnostic.h>

#include <vector>

namespace model_validator::fixes {

/// Adds edits to the findings that have a fix, if the source is still where the model was exported
/// from. Folders are not searched for each file that a model names: `fix` does that.
void add_edits(std::vector<Diagnostic>& findings);

} // namespace model_validator::fixes
